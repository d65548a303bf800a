#!/usr/bin/env bash
# Makes the decks in this folder anew, as a program people use writes them. Run by hand; the tests need only the decks.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
venv="$(mktemp -d)"
trap 'rm -rf "$venv"' EXIT
python3 -m venv "$venv"
"$venv/bin/pip" -q install python-pptx==1.0.2
# Port 9 stands for any server; the test puts its own there.
"$venv/bin/python" decks.py . http://127.0.0.1:9/compere-external.png
python3 exports.py .
