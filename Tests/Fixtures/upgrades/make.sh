#!/bin/sh
# Makes the files that a release leaves with its users, for the tests of later ones: see docs/releasing.md.
#   sh Tests/Fixtures/upgrades/make.sh PROGRAM FOLDER
set -eu

program=$(realpath "${1:?usage: make.sh PROGRAM FOLDER}")
mkdir -p "${2:?usage: make.sh PROGRAM FOLDER}"
folder=$(realpath "$2")
here=$(realpath "$(dirname "$0")/..")
work=$(mktemp -d)
server=
trap 'rm -rf "$work"; [ -z "$server" ] || kill "$server"' EXIT

# A model that writes: `pulse-digest models pull smollm2-135m` brings it.
model=$("$program" models path smollm2-135m)
export HOME="$work" XDG_CONFIG_HOME="$work/config" XDG_STATE_HOME="$work/state" TZ=UTC
export PULSE_DIGEST_STORE="$work/history.sqlite" PULSE_DIGEST_NOW=2026-11-21T20:00:00Z
export PULSE_DIGEST_SENDMAIL="$work/sendmail"

# A feed, from a port of its own.
python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$here/feeds" >"$work/server" 2>&1 &
server=$!
until grep -q 'port [0-9]' "$work/server"; do kill -0 "$server"; done
address=http://127.0.0.1:$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$work/server" | head -1)

tail -12 "$here/sample-history.jsonl" | "$program" import jsonl
"$program" config set maxStories 7
"$program" config set to ana@example.org
"$program" config set from digest@example.org
"$program" config set follow ferry
"$program" config set profiles.ben.to ben@example.org
"$program" feeds add "$address/rss-2.0.xml" --folder Towns
"$program" history search ferry >/dev/null
"$program" today >/dev/null
"$program" bookmarks add "$("$program" history search Kestria | head -1 | cut -c1-7)"
"$program" history remove "$("$program" history list | tail -1 | cut -c1-7)" --yes
"$program" prepare --model "$model"

# A mail that went out, and one that is still to.
printf '#!/bin/sh\ncat >/dev/null\n' >"$work/sendmail"
chmod +x "$work/sendmail"
"$program" today --send --profile ben
printf '#!/bin/sh\ncat >/dev/null\nexit 75\n' >"$work/sendmail"
"$program" today --send || [ $? = 75 ]

rm -rf "$folder/config" "$folder/state"
cp -r "$work/history.sqlite" "$work/config" "$work/state" "$folder"
rm -f "$folder"/state/pulse-digest/*lock "$folder"/state/pulse-digest/.*lock "$folder"/state/pulse-digest/foreground
# The test puts its own folder there.
grep -rl "$work" "$folder/state" | xargs -r sed -i "s|$work|FOLDER|g"
