#!/usr/bin/env bash
# What becomes of decks that others made: imports them all and prints the tables of docs/slides.md. Ends with 1 where one of
# their goals is missed. What was measured with the same program before is taken from $COMPERE_TOOLS/decks/results.
#
#     ./test decks                the decks of tests/corpus and those in python-pptx's own tests
#     ./test decks more/*.pptx    these too
#
# Not part of ./test without a name: it takes minutes and fetches python-pptx's source (MIT, pinned below) through pip.
# $COMPERE names the program. What the numbers mean and what they were: docs/slides.md.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
compere="${COMPERE:-$here/../target/release/compere}"
tools="${COMPERE_TOOLS:-$here/../.tools}"
requirement=python-pptx==1.0.2
file=python_pptx-1.0.2.tar.gz
sum=479a8af0eaf0f0d76b6f00b0887732874ad2e3188230315290cd1f9dd9cc7095

die() { echo "decks: $*" >&2; exit 1; }

if [ ! -d "$tools/decks/python_pptx-1.0.2" ]; then
    work="$(mktemp -d)"
    trap 'rm -rf "$work"' EXIT
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --no-binary python-pptx --dest "$work" "$requirement" ||
        die "pip could not download $requirement"
    [ "$(sha256sum "$work/$file" | cut -d' ' -f1)" = "$sum" ] || die "$file is not the file that was pinned"
    mkdir -p "$tools/decks"
    tar -xzf "$work/$file" -C "$work"
    mv "$work/python_pptx-1.0.2" "$tools/decks/"
fi

shopt -s nullglob globstar
exec python3 "$here/decks.py" "$compere" "$tools/decks/results" "$here"/../crates/compere-import/tests/corpus/*.pptx -- \
    "$tools"/decks/python_pptx-1.0.2/**/*.pptx "$@"
