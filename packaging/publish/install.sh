#!/bin/sh
# Puts `diglot` into a folder, from the release's archive, if its checksum is right:
#
#   RELEASES=https://github.com/OWNER/diglot/releases/download install.sh 0.1.0 FOLDER
#
# With MINISIGN_PUBLIC_KEY and the program `minisign` the signature of the checksums is verified as well.
set -eu
version=$1 folder=$2
case "$(uname -s)-$(uname -m)" in
Linux-x86_64) target=x86_64-unknown-linux-gnu ;;
Linux-aarch64) target=aarch64-unknown-linux-gnu ;;
*)
    echo "install.sh: no archive for this machine: use 'cargo install'" >&2
    exit 1
    ;;
esac
archive=diglot-$version-$target.tar.gz
mkdir -p "$folder"
cd "$folder"
for file in "$archive" SHA256SUMS; do
    curl --silent --show-error --fail --location --retry 3 --output "$file" "$RELEASES/v$version/$file"
done
if [ -n "${MINISIGN_PUBLIC_KEY:-}" ]; then
    curl --silent --show-error --fail --location --retry 3 --output SHA256SUMS.minisig "$RELEASES/v$version/SHA256SUMS.minisig"
    minisign -V -q -P "$MINISIGN_PUBLIC_KEY" -m SHA256SUMS
fi
grep " $archive\$" SHA256SUMS | sha256sum --check --status || {
    echo "install.sh: $archive has another checksum than its release" >&2
    exit 1
}
tar -xzf "$archive" --strip-components=1 "${archive%.tar.gz}/diglot"
rm -f "$archive" SHA256SUMS SHA256SUMS.minisig
./diglot --version
