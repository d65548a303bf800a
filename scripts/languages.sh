#!/usr/bin/env bash
# Counts how often a sentence is taken for another language than its own, on descriptions of Debian's packages in
# fifteen languages. Descriptions that were left in English by their translators count as errors: a few per thousand
# sentences are theirs and not ours.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

dir="$(mktemp -d)"
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/lists/partial" "$dir/cache" "$dir/texts"
apt-get -qq -o Dir::State::Lists="$dir/lists" -o Dir::Cache="$dir/cache" -o Acquire::GzipIndexes=false \
  -o Acquire::Languages=en,de,es,fr,it,pt,pt_BR,nl,pl,sv,fi,da,cs,hu,ru,ja,zh_CN update
python3 - "$dir" <<'PY'
import pathlib, random, re, sys

folder = pathlib.Path(sys.argv[1])
for file in sorted((folder / "lists").glob("*Translation-*")):
    language = file.name.split("Translation-")[1].replace("%5f", "_")
    texts = set()
    for block in file.read_text("utf-8", "replace").split("\n\n"):
        found = re.search(r"^Description-(?!md5)[A-Za-z_]+: .*\n((?: .*\n?)*)", block, re.M)
        first = " ".join(line.strip() for line in found.group(1).split("\n .\n")[0].split("\n")) if found else ""
        for text in re.split(r"(?<=[.!?。！？])\s*", first):
            if 15 <= len(text) <= 220 and re.search(r"[.!?。！？]$", text) and not re.search(r"https?:|[<>/*_]", text):
                texts.add(text.strip())
    texts = sorted(texts)
    random.Random(1).shuffle(texts)
    if len(texts) >= 200:
        with open(folder / "texts" / f"{language}.txt", "a") as out:
            out.write("".join(text + "\n" for text in texts[:1000]))
PY
cargo run --quiet --release -p compere-speech --example languages "$dir/texts"
