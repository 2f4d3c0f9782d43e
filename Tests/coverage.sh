#!/bin/sh
# Line coverage of each library target, from the last `swift test --enable-code-coverage`.
set -eu
data=$(swift test --show-codecov-path)
python3 - "$data" <<'PY'
import collections, json, sys
totals = collections.defaultdict(lambda: [0, 0])
for file in json.load(open(sys.argv[1]))["data"][0]["files"]:
    path = file["filename"]
    if "/Sources/" not in path: continue
    lines = file["summary"]["lines"]
    room = path.split("/Sources/")[1].split("/")[0]
    totals[room][0] += lines["covered"]; totals[room][1] += lines["count"]
for room, (covered, count) in sorted(totals.items()):
    print(f"{room:16} {100 * covered / max(count, 1):5.1f} %  of {count} lines")
PY
