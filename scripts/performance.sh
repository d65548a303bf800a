#!/usr/bin/env bash
# Measures again what docs/performance.md says, and writes its tables and pictures.
#
#   scripts/performance.sh [DIR]     DIR keeps what was drawn, so that a second run takes minutes less
#   PARTS="sizes times scale starts seeking pictures"   what is measured; all of it, where nothing is said
#   PRESETS=veryfast,faster,medium   whom to compare sizes with; veryfast alone, where nothing is said
#   RUNS=3                           of each film that is timed
#
# Times are told with the load of the machine before them, and processor time stands beside time by the clock. They are
# taken twice: with the vector kernels of this processor and without (COMPERE_KERNELS=scalar). VMAF needs an FFmpeg with
# libvmaf, which Debian's has not: it comes through pip, pinned, and stays in $COMPERE_ASSETS/.performance. Pictures and
# starts need perf (Debian: linux-perf), seeking needs Chromium and Node; what is not there leaves its part as it is.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "$here/.."
export COMPERE_ASSETS="${COMPERE_ASSETS:-$PWD/assets}"
compere=$(realpath "${COMPERE:-target/release/compere}")
presets=${PRESETS:-veryfast}
runs=${RUNS:-3}
read -ra parts <<<"${PARTS:-sizes times scale starts seeking pictures}"
page=docs/performance.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
keep=${1:-$work/keep}

wheel='imageio-ffmpeg==0.6.0 imageio_ffmpeg-0.6.0-py3-none-manylinux2014_x86_64.whl c7e46fcec401dd990405049d2e2f475e2b397779df2519b544b8aab515195282'
judge=$COMPERE_ASSETS/.performance/imageio_ffmpeg/binaries/ffmpeg-linux-x86_64-v7.0.2

die() { echo "performance: $*" >&2; exit 1; }

# An FFmpeg with libvmaf; without one the column stays empty.
fetch_judge() {
    [ -x "$judge" ] && return
    [ "$(uname -m)" = x86_64 ] || return 0
    local requirement file sum
    read -r requirement file sum <<<"$wheel"
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$work" \
        "$requirement" || { echo "performance: no VMAF, as pip could not download $requirement" >&2; return 0; }
    [ "$(sha256sum "$work/$file" | cut -d' ' -f1)" = "$sum" ] || die "$file is not the file that was pinned"
    mkdir -p "$COMPERE_ASSETS/.performance"
    python3 -m zipfile -e "$work/$file" "$COMPERE_ASSETS/.performance"
    chmod +x "$judge"
}

# What the tests of the dashboard lead Chromium with.
fetch_player() (
    cd tests/dashboard
    [ node_modules/.package-lock.json -nt package-lock.json ] ||
        PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --silent
)

for part in "${parts[@]}"; do
    echo "performance: $part" >&2
    case $part in
    sizes)
        fetch_judge
        "$compere" bench size --presets "$presets" --keep "$keep" --json >"$work/size.json"
        python3 "$here/performance/sizes.py" "$work/size.json" "$page" "$presets" "$keep" "$judge"
        ;;
    times) python3 "$here/performance/times.py" "$compere" "$page" "$runs" ;;
    scale) python3 "$here/performance/scale.py" "$compere" "$page" ;;
    starts | pictures)
        if command -v perf >/dev/null; then
            python3 "$here/performance/$part.py" "$compere" "$page"
        else
            echo "performance: no $part, as there is no perf (Debian: linux-perf)" >&2
        fi
        ;;
    seeking)
        if command -v node >/dev/null && command -v npm >/dev/null && command -v "${CHROMIUM:-chromium}" >/dev/null; then
            fetch_player
            python3 "$here/performance/seeking.py" "$compere" "$page"
        else
            echo "performance: no seeking, as Chromium, Node or npm is missing" >&2
        fi
        ;;
    *) die "\`$part\` is no part: sizes, times, scale, starts, seeking or pictures" ;;
    esac
done
