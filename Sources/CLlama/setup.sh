#!/bin/sh
# Finds libllama, or builds it, and writes down where it is: the Makefile's recipes source the file named by $1.
#
#   1. $LLAMA_PREFIX, where the user says so: a folder with include/llama.h and lib/.
#   2. pkg-config, where a package manager installed llama.cpp (Homebrew, some Linux distributions).
#   3. Otherwise the library is built from the sources that llama-cpp-python on PyPI brings, with the clang of the Swift
#      toolchain, into a folder outside the tree that is keyed by what it was built from. A second clone finds it there.
#
# Nothing half-made is ever trusted: a build happens beside its final place and is renamed when it is whole.
set -eu

answer=${1:?usage: setup.sh FILE [tests|all-tests|portable]}
purpose=${2:-program}
package=llama-cpp-python==0.3.36
# llama.cpp alone, as the package has it in a folder: neither its programs nor what only they use. With the client of
# its RPC servers (three source files), which speaks TCP whatever network cards this machine has.
cmake_args="-DBUILD_SHARED_LIBS=ON -DGGML_OPENMP=OFF -DGGML_RPC=ON -DGGML_RPC_RDMA=OFF -DLLAMA_BUILD_COMMON=OFF \
-DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_TOOLS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_SERVER=OFF \
-DLLAMA_BUILD_APP=OFF -DCMAKE_INSTALL_LIBDIR=lib \
-DCMAKE_INSTALL_RPATH=$([ "$(uname -s)" = Darwin ] && echo @loader_path || echo '$ORIGIN')"
cache=${PULSE_DIGEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pulse-digest}

say() { printf '%s\n' "$*" >&2; }
fail() { say "setup: $*"; exit 1; }

# ---- What must be there, and the command that brings it -----------------------------------------------------------

if command -v apt-get >/dev/null 2>&1; then
    update="apt-get update -qq" install="apt-get install -y -qq"; sqlite=libsqlite3-dev xml=libxml2-dev ssl=libssl-dev
    curl=libcurl4-openssl-dev zlib=zlib1g-dev cc=g++ python="python3 python3-pip python3-venv" shell=sqlite3
    real="cron msmtp python3-aiosmtpd zsh fish bash-completion"
elif command -v dnf >/dev/null 2>&1; then
    update=: install="dnf install -y"; sqlite=sqlite-devel xml=libxml2-devel ssl=openssl-devel curl=libcurl-devel
    zlib=zlib-devel cc=gcc-c++ python="python3 python3-pip" shell=sqlite
    real="cronie msmtp python3-aiosmtpd zsh fish bash-completion"
elif command -v pacman >/dev/null 2>&1; then
    update=: install="pacman -S --noconfirm --needed"; sqlite=sqlite xml=libxml2 ssl=openssl curl=curl zlib=zlib cc=gcc
    python="python python-pip" shell=sqlite real="cronie msmtp python-aiosmtpd zsh fish bash-completion"
else
    update=: install="brew install"; sqlite=sqlite xml=libxml2 ssl=openssl@3 curl=curl zlib=zlib cc=llvm python=python3
    shell=sqlite real="msmtp zsh fish bash-completion"
fi
case $install in brew*) pkgconfig=pkgconf ;; *) pkgconfig=pkg-config ;; esac

need() { missing="$missing
  $1"; packages="$packages $2"; }

command -v swift >/dev/null 2>&1 ||
    fail "swift is not on the PATH. Install Swift 6.2 or later: https://www.swift.org/install/"

# What every build needs, and what tests need besides. Those with real mail, cron and shells are skipped where these are
# not there, unless every test was asked for.
look() {
    missing="" packages=""
    if command -v pkg-config >/dev/null 2>&1; then
        pkg-config --atleast-version=3.37 sqlite3 || need "SQLite's headers (sqlite3.h), version 3.37 or later" "$sqlite"
        pkg-config --exists libxml-2.0 || need "libxml2's headers (libxml/HTMLparser.h)" "$xml"
        pkg-config --exists libcrypto || need "OpenSSL's headers (openssl/evp.h)" "$ssl"
        pkg-config --exists libcurl || need "libcurl's headers (curl/curl.h)" "$curl"
        pkg-config --exists zlib || need "zlib's headers (zlib.h)" "$zlib"
    else
        need "pkg-config, and with it the headers of SQLite, libxml2, OpenSSL, libcurl and zlib" \
            "$pkgconfig $sqlite $xml $ssl $curl $zlib"
    fi
    case $purpose in *tests)
        command -v sqlite3 >/dev/null 2>&1 || need "the sqlite3 program, with which the tests make stores" "$shell" ;;
    esac
    if [ "$purpose" = all-tests ]; then
        for program in crontab msmtp zsh fish; do
            command -v $program >/dev/null 2>&1 || { need "$program, which tests use" "$real"; break; }
        done
        python3 -c "import aiosmtpd" 2>/dev/null || /usr/bin/python3 -c "import aiosmtpd" 2>/dev/null ||
            need "aiosmtpd, a mail server that tests send to" "$real"
    fi
    if [ "$purpose" = portable ]; then
        command -v apt-get >/dev/null 2>&1 || fail "a Debian package is made on Debian and its relatives only."
        for program in dpkg-shlibdeps chrpath fakeroot; do
            command -v $program >/dev/null 2>&1 ||
                { need "$program, which packages are made with" "dpkg-dev chrpath fakeroot"; break; }
        done
    fi
    [ "${builds:-no}" = no ] || look_for_compilers
}

# Brings what is missing: as root at once, else through sudo, which asks. INSTALL=no only tells.
bring() {
    look
    [ -n "$missing" ] || return 0
    case $install in
        brew*) as="" ;;
        *) if [ "$(id -u)" = 0 ]; then as=""; else as="sudo "; fi ;;
    esac
    told="these are missing:$missing
Install them, then run make again:
  $as$install$packages"
    [ "${INSTALL:-yes}" != no ] || fail "$told"
    [ -z "$as" ] || command -v sudo >/dev/null 2>&1 || fail "$told"
    say "These are missing, and are installed now:$missing
  $as$install$packages"
    # The words of these commands are separate words on purpose.
    DEBIAN_FRONTEND=noninteractive
    export DEBIAN_FRONTEND
    $as$update >&2 && $as$install$packages >&2 || fail "that failed. Install them by hand, then run make again."
    look
    [ -z "$missing" ] || fail "after that, these are still missing:$missing"
}

# ---- Where libllama is --------------------------------------------------------------------------------------------

# found PKGCONFIG_DIR LIB_DIR COPY: COPY is yes where `make install` must bring the library along.
found() {
    mkdir -p "$(dirname "$answer")"
    printf "LLAMA_PKGCONFIG='%s'\nLLAMA_LIB='%s'\nLLAMA_COPY='%s'\n" "$1" "$2" "$3" >"$answer.new"
    if cmp -s "$answer.new" "$answer" 2>/dev/null; then rm "$answer.new"; else mv "$answer.new" "$answer"; fi
}

if [ -n "${LLAMA_PREFIX:-}" ]; then
    bring
    prefix=$(cd "$LLAMA_PREFIX" 2>/dev/null && pwd) || fail "LLAMA_PREFIX=$LLAMA_PREFIX is not a folder."
    [ -f "$prefix/include/llama.h" ] || fail "LLAMA_PREFIX=$prefix holds no include/llama.h."
    lib=""
    for dir in "$prefix"/lib "$prefix"/lib64 "$prefix"/lib/*-linux-gnu; do
        for file in "$dir"/libllama.so "$dir"/libllama.dylib; do [ -f "$file" ] && lib=$dir && break 2; done
    done
    [ -n "$lib" ] || fail "LLAMA_PREFIX=$prefix holds no lib/libllama.so (or .dylib)."
    # A .pc file of our own: a prefix may have none, or one with a dead path in it.
    pc=$(dirname "$answer")/llama-pkgconfig
    mkdir -p "$pc"
    printf 'Name: llama\nDescription: llama.cpp\nVersion: 0\nLibs: -L"%s" -lllama -lggml -lggml-base\nCflags: -I"%s"\n' \
        "$lib" "$prefix/include" >"$pc/llama.pc.new"
    mv "$pc/llama.pc.new" "$pc/llama.pc"
    found "$(cd "$pc" && pwd)" "$lib" yes
    say "libllama: $prefix (LLAMA_PREFIX)"
    exit 0
fi

if command -v pkg-config >/dev/null 2>&1 && pkg-config --exists llama; then
    bring
    lib=$(pkg-config --variable=libdir llama)
    [ -n "$lib" ] || lib=$(pkg-config --libs-only-L llama | sed 's/^-L\([^ ]*\).*/\1/')
    # Where the system's loader looks by itself, the library stays where its package manager put it.
    case $lib in
        "" | /usr/lib* | /lib* | /usr/local/lib* | /opt/homebrew/* | /home/linuxbrew/*) copy=no ;;
        *) copy=yes ;;
    esac
    found "" "$lib" $copy
    say "libllama: $(pkg-config --modversion llama), from pkg-config"
    exit 0
fi

# ---- Building it --------------------------------------------------------------------------------------------------

# The clang that stands beside swift: a compiler the program is built with anyway, and one whose code runs on
# processors where older gcc releases produce an invalid AMX instruction.
swiftc=$(swift -print-target-info 2>/dev/null | sed -n 's/.*"runtimeResourcePath" *: *"\(.*\)\/lib\/swift".*/\1/p')
look_for_compilers() {
    clang=$swiftc/bin/clang
    [ -x "$clang" ] || clang=$(command -v clang || true)
    [ -n "$clang" ] || need "a C and C++ compiler (clang)" "clang"
    if [ -n "$clang" ] && ! printf '#include <vector>\nint main() { return 0; }\n' |
        "$clang++" -x c++ - -o /dev/null 2>/dev/null; then
        need "the C++ standard library's headers" "$cc"
    fi
    if ! command -v python3 >/dev/null 2>&1; then
        need "python3 with pip, to fetch and build llama.cpp" "$python"
    elif ! python3 -m pip --version >/dev/null 2>&1; then
        need "pip for python3, to fetch and build llama.cpp" "$python"
    fi
}
builds=yes
bring

if [ "$purpose" = portable ]; then
    # Kernels for every generation of processors, each in a module; ggml loads the best one that runs.
    cmake_args="$cmake_args -DGGML_NATIVE=OFF -DGGML_BACKEND_DL=ON -DGGML_CPU_ALL_VARIANTS=ON"
    processor=any
else
    # The code is tuned for this processor, so its name is part of the key: a home folder may be shared.
    cmake_args="$cmake_args -DGGML_NATIVE=ON"
    processor=$(sed -n '/^model name\|^flags\|^Features/p' /proc/cpuinfo 2>/dev/null | sort -u)
    [ -n "$processor" ] || processor=$(sysctl -n machdep.cpu.brand_string 2>/dev/null || uname -m)
fi
made_from="$package
$cmake_args
$(uname -sm)
$("$clang" --version | head -n 1)
$processor
$(sed -n '/^# ---- Building/,$p' "$0")"
key=$(printf '%s' "$made_from" | cksum | tr -d ' ')
home=$cache/llama/$key

ready() { found "$home/lib/pkgconfig" "$home/lib" yes; say "libllama: $home"; }
if [ -f "$home/complete" ]; then ready; exit 0; fi

mkdir -p "$cache/llama" || fail "cannot write to $cache. Set PULSE_DIGEST_CACHE to a folder that can be written."

# One build at a time. The lock is a folder with its owner's process id in it: one whose owner has died is taken over.
lock=$cache/llama/$key.lock
rounds=0
until mkdir "$lock" 2>/dev/null; do
    owner=$(cat "$lock/pid" 2>/dev/null || true)
    if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null || [ -z "$owner" ] && [ "$rounds" -gt 5 ]; then
        rm -rf "$lock"
        continue
    fi
    rounds=$((rounds + 1))
    [ -n "${waiting:-}" ] || say "libllama: another make builds it (process ${owner:-unknown}); waiting"
    waiting=yes
    sleep 2
done
echo $$ >"$lock/pid"
work=$cache/llama/$key.building
trap 'rm -rf "$work" "$lock"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
if [ -f "$home/complete" ]; then ready; exit 0; fi
rm -rf "$work" "$home"
mkdir -p "$work"

say "libllama is not installed: building $package with $clang."
say "This happens once and takes $([ "$purpose" = portable ] && echo ten || echo three) minutes or so on two cores; \
the result is kept in $home."

# pip's own cache would hand back a wheel made by another compiler, hence --no-cache-dir. ninja's lines "[12/140] …"
# become the progress.
progress='
/^ *\[[0-9]+\/[0-9]+\]/ {
    split(substr($1, 2), n, /[\/\]]/)
    if (terminal) printf "\r  compiled %d of %d ", n[1], n[2] > "/dev/stderr"
    else if (n[1] * 10 >= n[2] * step) {
        printf "  compiled %d of %d\n", n[1], n[2] > "/dev/stderr"; step = int(n[1] * 10 / n[2]) + 1
    }
}
END { if (terminal) printf "\r                              \r" > "/dev/stderr" }'
terminal=0
[ -t 2 ] && terminal=1
{
    CC=$clang CXX=$clang++ CMAKE_ARGS=$cmake_args SKBUILD_CMAKE_SOURCE_DIR=vendor/llama.cpp \
        python3 -m pip wheel -v --no-cache-dir --no-deps --disable-pip-version-check -w "$work" "$package" 2>&1 &&
        echo built >"$work/built"
} </dev/null | tee "$work/log" | awk -v terminal=$terminal -v step=1 "$progress"

if [ ! -f "$work/built" ]; then
    cp "$work/log" "$cache/llama/build.log"
    say ""
    tail -n 15 "$work/log" >&2
    fail "building $package failed; the whole log is in $cache/llama/build.log.
If the package could not be fetched, check the network, or install llama.cpp yourself and set LLAMA_PREFIX."
fi
python3 -m zipfile -e "$work"/*.whl "$work/wheel"
mkdir -p "$work/home/lib/pkgconfig"
cp -R "$work/wheel/include" "$work/home/include"
# A wheel holds copies where a library has links: keep one file of each library and link the other names to it.
for file in "$work"/wheel/lib/libllama.* "$work"/wheel/lib/libggml* "$work"/wheel/bin/libggml-*; do
    [ ! -f "$file" ] || cp "$file" "$work/home/lib/"
done
(
    cd "$work/home/lib"
    for real in lib*.so.*.*.*; do
        [ -f "$real" ] || continue
        base=${real%%.so.*} version=${real#*.so.}
        ln -sf "$real" "$base.so.${version%%.*}"
        ln -sf "$base.so.${version%%.*}" "$base.so"
    done
)
cat >"$work/home/lib/pkgconfig/llama.pc" <<'PC'
prefix=${pcfiledir}/../..

Name: llama
Description: llama.cpp, built by pulse-digest's make setup
Version: 0.5.0
Libs: -L${prefix}/lib -lllama -lggml -lggml-base
Cflags: -I${prefix}/include
PC
printf '%s\n' "$made_from" >"$work/home/made-from"
: >"$work/home/complete"
mv "$work/home" "$home"
ready
