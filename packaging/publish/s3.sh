#!/bin/sh
# Copies a site that `diglot build` wrote to S3, with the media types and the caching of `diglot serve`:
#
#   s3.sh SITE s3://BUCKET[/PREFIX]
#
# Every file is sent each time: their times are those of the content, by which `aws s3 sync` would miss changes.
set -eu
site=$1 bucket=${2%/}

# Media type, patterns.
send() {
    type=$1
    shift
    for pattern; do
        set -- "$@" --include "$pattern"
        shift
    done
    aws s3 cp "$site" "$bucket" --recursive --only-show-errors --exclude '*' "$@" \
        --exclude '_/*' --exclude '.diglot*' --content-type "$type" --cache-control "$pages"
}
pages='public, max-age=300, stale-while-revalidate=3600'

# What pages refer to is there before them.
aws s3 cp "$site/_" "$bucket/_" --recursive --only-show-errors --cache-control 'public, max-age=31536000, immutable'
aws s3 cp "$site" "$bucket" --recursive --only-show-errors --cache-control "$pages" \
    --exclude '_/*' --exclude '.diglot*' --exclude '.htaccess' --exclude '.nojekyll' --exclude '_headers' --exclude '_redirects' \
    --exclude '*.md' --exclude '*.html' --exclude '*.txt' --exclude '*.xml' --exclude '*.rss' --exclude '*.json' --exclude '.well-known/*'
send 'text/markdown; charset=utf-8' '*.md'
send 'text/plain; charset=utf-8' '*.txt'
send 'application/xml; charset=utf-8' '*.xml' '*.rss'
send 'application/json' '*.json'
send 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"' '.well-known/api-catalog'
send 'text/html; charset=utf-8' '*.html'
pages=no-cache
send 'application/json' 'status.json'
# What is gone from the site.
aws s3 sync "$site" "$bucket" --delete --size-only --only-show-errors \
    --exclude '.diglot*' --exclude '.htaccess' --exclude '.nojekyll' --exclude '_headers' --exclude '_redirects'
