#!/bin/sh
# Has nginx (nginx.conf) forget the URLs on the standard input, one a line:
#
#   diglot publish FOLDER --to STORE --purge-command packaging/purge/nginx.sh
#
# Runs where nginx runs, with the right to delete its files.
set -eu
cache=${NGINX_CACHE:-/var/cache/nginx/site}
while IFS= read -r url; do
    path=/${url#*://*/}
    for coding in '' br zstd gzip; do
        key=$(printf '%s' "$coding $path" | md5sum)
        key=${key%% *}
        # The folders of `levels=1:2`: the last digit, then the two before it.
        rest=${key%?}
        last=${key#"$rest"}
        two=${rest#"${rest%??}"}
        rm -f "$cache/$last/$two/$key"
    done
done
