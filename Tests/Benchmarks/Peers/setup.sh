#!/bin/sh
# An environment with llama-cpp-python in it, at $1, made once. It prints the Python to run.
#
# The library is the one the program runs with wherever that is possible ($2: its folder): both sides then execute the
# same code, and what the comparison shows is how it is used. That is so where Sources/CLlama/setup.sh built it from the
# very package in requirements.txt. Otherwise the package builds its own, with the same compiler and options.
set -eu

home=$1 lib=$2
here=$(cd "$(dirname "$0")" && pwd)
package=$(cat "$here/requirements.txt")
python=$home/bin/python

if [ "$(cat "$home/complete" 2>/dev/null)" = "$package $lib" ]; then
    echo "$python"
    exit 0
fi
command -v python3 >/dev/null || { echo "python3 is not there" >&2; exit 1; }
rm -rf "$home"
python3 -m venv "$home" >&2

swift=$(swift -print-target-info 2>/dev/null | sed -n 's/.*"runtimeResourcePath" *: *"\(.*\)\/lib\/swift".*/\1/p')
clang=$swift/bin/clang
[ -x "$clang" ] || clang=$(command -v clang)
if [ "$(head -n 1 "$lib/../made-from" 2>/dev/null)" = "$package" ]; then
    options=-DLLAMA_BUILD=OFF
    own=no
else
    options="-DGGML_NATIVE=ON -DGGML_OPENMP=OFF -DLLAVA_BUILD=OFF"
    own=yes
    echo "building $package with a library of its own; this takes some minutes" >&2
fi
CC=$clang CXX=$clang++ CMAKE_ARGS=$options \
    "$python" -m pip install --disable-pip-version-check --no-cache-dir --no-binary llama-cpp-python \
    -r "$here/requirements.txt" >&2
# The package looks for its library in this folder.
if [ "$own" = no ]; then
    ln -s "$lib" "$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')/llama_cpp/lib"
fi
"$python" -c 'import llama_cpp' >&2
printf '%s\n' "$package $lib" >"$home/complete"
echo "$python"
