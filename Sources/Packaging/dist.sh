#!/bin/sh
# Puts a release into .build/dist: the sources of the last commit, the Debian package that `make deb` made, the same tree
# as an archive that runs wherever it is unpacked, and their checksums. See docs/releasing.md.
set -eu

release=Sources/PulseCore/Release.swift
version=$(sed -n 's/.*version = "\(.*\)"/\1/p' "$release")
date=$(sed -n 's/.*date = "\(.*\)"/\1/p' "$release")

refuse() {
    echo "No release was made: $1" >&2
    exit 1
}
git diff --quiet HEAD || refuse "there are changes that are not committed."
grep -qxF "## $version ($date)" CHANGELOG.md || refuse "CHANGELOG.md has no section \"$version ($date)\"."

to=.build/dist
rm -rf "$to" && mkdir -p "$to"
git archive --format=tar --prefix="pulse-digest-$version/" HEAD | gzip -9n >"$to/pulse-digest-$version.tar.gz"
cp ".build/pulse-digest_${version}-1local1_$(dpkg --print-architecture).deb" "$to"
tree=pulse-digest-$version-linux-$(uname -m)
tar --create --directory .build/deb/root --transform "s,^usr,$tree," --sort name --owner root:0 --group root:0 \
    --mtime "@$(git log -1 --format=%ct)" usr | gzip -9n >"$to/$tree.tar.gz"
(cd "$to" && sha256sum ./* >SHA256SUMS)
ls "$to"
