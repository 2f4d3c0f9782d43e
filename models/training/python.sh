# Sourced by train.sh and eval.sh: $python is an interpreter with everything in requirements.txt; made once, in the work folder.
work=${NANO_WORK:-$here/.work}
python=${NANO_PYTHON:-$work/venv/bin/python}
export NANO_WORK="$work"
if [ ! -x "$python" ]; then
    echo "Making $work/venv…" >&2
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install -q --extra-index-url https://download.pytorch.org/whl/cpu -r "$here/requirements.txt"
    python=$work/venv/bin/python
fi
