#!/bin/sh
# The figures of the embedded model: eval.sh PROGRAM [options of evaluate.py]
#   CORPUS=FOLDER  NANO_WORK=FOLDER  NANO_PYTHON=INTERPRETER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/python.sh"
program=$1
shift
exec "$python" "$here/evaluate.py" --program "$program" --corpus "${CORPUS:-$here/../../../shared/corpus}" "$@"
