#!/bin/sh
# Makes a Debian package with dpkg's own tools. $1 names the file that says where the libllama for it is: one that picks
# its kernels by the processor it finds itself on.
set -eu

llama=${1:?usage: deb.sh LLAMA_ENV}
here=$(dirname "$0")
version=$(.build/release/pulse-digest --version | sed 's/^pulse-digest //')
architecture=$(dpkg --print-architecture)
# As dpkg's other tools know who makes a package.
maintainer="${DEBFULLNAME:-the pulse-digest authors} <${DEBEMAIL:-authors@pulse-digest.example}>"

work=.build/deb
rm -rf "$work" && mkdir -p "$work/debian"
root=$work/root
umask 022
make -s install LLAMA="$llama" DESTDIR="$root" PREFIX=/usr >/dev/null

# The program looks for its libraries beside itself, and nowhere on the machine that built it.
chrpath -r '$ORIGIN/../lib/pulse-digest' "$root/usr/bin/pulse-digest" >/dev/null
for library in "$root"/usr/lib/pulse-digest/*.so*; do
    [ -L "$library" ] || { strip --strip-unneeded "$library" && chmod 644 "$library"; }
done

# As Debian has them: a compressed man page, and zsh's completions in a folder for packages.
gzip -9n "$root/usr/share/man/man1/pulse-digest.1"
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_pulse-digest" "$root/usr/share/zsh/vendor-completions/"
rmdir "$root/usr/share/zsh/site-functions"

documents=$root/usr/share/doc/pulse-digest
mkdir -p "$documents"
# The copyright file ends with the licence, whose paragraphs are indented as its format asks for.
{ cat "$here/copyright" && sed -n '/^Permission/,$p' LICENSE | sed 's/^$/./; s/^/ /'; } >"$documents/copyright"
gzip -9nc CHANGELOG.md >"$documents/changelog.gz"
gzip -9nc >"$documents/changelog.Debian.gz" <<CHANGES
pulse-digest ($version-1local1) unstable; urgency=medium

  * Made from the sources by make deb.

 -- $maintainer  $(LC_ALL=C date -R -r CHANGELOG.md)
CHANGES
mv "$root/usr/share/pulse-digest/models/README.md" "$documents/models.md"

cat >"$work/debian/control" <<CONTROL
Source: pulse-digest
Maintainer: $maintainer

Package: pulse-digest
Architecture: $architecture
CONTROL
(
    cd "$work"
    libraries=$(find root/usr/lib/pulse-digest -type f -name '*.so*')
    # The words are file names without spaces.
    dpkg-shlibdeps -lroot/usr/lib/pulse-digest --ignore-missing-info -O root/usr/bin/pulse-digest $libraries \
        2>/dev/null >substvars
)
mkdir -p "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<CONTROL
Package: pulse-digest
Version: $version-1local1
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Depends: $(sed -n 's/^shlibs:Depends=//p' "$work/substvars")
Recommends: ca-certificates
Suggests: cron, default-mta | msmtp-mta | mail-transport-agent, xdg-utils
Section: news
Priority: optional
Description: digest of the news you read, made on your own machine
 Reads what was read in newsboat, Liferea, RSS Guard, browsers, FreshRSS,
 Miniflux and others, and sums it up on one page: offline, in English,
 Portuguese, Spanish or French, with the source of every sentence. The page can
 be mailed every night, and a language model on the same machine can write it.
CONTROL
(cd "$root" && find usr -type f -exec md5sum {} + >DEBIAN/md5sums)
find "$root" -type d -exec chmod 755 {} +
fakeroot dpkg-deb --build "$root" ".build/pulse-digest_${version}-1local1_$architecture.deb"
