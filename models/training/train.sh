#!/bin/sh
# Makes the embedded model again, from the corpus to the GGUF file; goes on from the last checkpoint where there is one.
#   CORPUS=FOLDER  NANO_WORK=FOLDER  NANO_PYTHON=INTERPRETER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/python.sh"
cd "$here"
corpus=${CORPUS:-$here/../../../shared/corpus}
[ -e "$work/articles.jsonl" ] || nice "$python" prepare.py --corpus "$corpus"
[ -e "$work/tokenizer.json" ] || nice "$python" tokenizer.py
nice -n 19 "$python" train.py
"$python" export.py
