#!/usr/bin/env bash
# Counts how often a sentence is taken for another language than its own, on descriptions of Debian's packages in
# twenty languages, without those that their translators left in English.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

dir="$(mktemp -d)"
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/lists/partial" "$dir/cache" "$dir/texts"
apt-get -qq -o Dir::State::Lists="$dir/lists" -o Dir::Cache="$dir/cache" -o Acquire::GzipIndexes=false \
  -o Acquire::Languages=en,de,es,fr,it,pt,pt_BR,nl,pl,sv,fi,da,cs,sk,hu,ru,uk,sr,ja,ko,zh_CN update
python3 - "$dir" <<'PY'
import pathlib, random, re, sys

folder, english = pathlib.Path(sys.argv[1]), set()
files = [file for file in (folder / "lists").glob("*_main_i18n_Translation-*")
         if not re.search("updates|security", file.name)]
# English first, to know what was left in it.
for file in sorted(files, key=lambda file: (not file.name.endswith("-en"), file.name)):
    language = file.name.split("Translation-")[1].replace("%5f", "_")
    texts = set()
    for block in file.read_text("utf-8", "replace").split("\n\n"):
        found = re.search(r"^Description-(?!md5)[A-Za-z_]+: .*\n((?: .*\n?)*)", block, re.M)
        first = " ".join(line.strip() for line in found.group(1).split("\n .\n")[0].split("\n")) if found else ""
        for text in re.split(r"(?<=[.!?。！？])\s*", first):
            if 15 <= len(text) <= 220 and re.search(r"[.!?。！？]$", text) and not re.search(r"https?:|[<>/*_]", text):
                texts.add(text.strip())
    if language == "en":
        english = texts
    else:
        texts -= english
    texts = sorted(texts)
    random.Random(1).shuffle(texts)
    if len(texts) >= 200:
        with open(folder / "texts" / f"{language}.txt", "a") as out:
            out.write("".join(text + "\n" for text in texts[:1000]))
PY
cargo run --quiet --release -p compere-speech --example languages "$dir/texts"
