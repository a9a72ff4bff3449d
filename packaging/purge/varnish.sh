#!/bin/sh
# Has Varnish (varnish.vcl) forget the URLs on the standard input, one a line:
#
#   diglot publish FOLDER --to STORE --purge-command packaging/purge/varnish.sh
#
# VARNISH is where it listens. The URLs are asked there over HTTP, with the name of the site.
set -eu
varnish=${VARNISH:-127.0.0.1:80}
sed -e 's|^https:|http:|' -e 's|.*|url = "&"\noutput = "/dev/null"|' |
    curl --silent --show-error --fail --fail-early --globoff --noproxy '*' \
        --request PURGE --connect-to "::$varnish" --config -
