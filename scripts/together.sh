#!/usr/bin/env bash
# How long one film takes with 1, 2 and 4 machines, each with a core of its own or half of one: the machines are crews of one
# test, their workers pinned by taskset, the records SQLite, the store a folder. Wants a machine with nothing else to do.
#   scripts/together.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec cargo test --release --workspace --test together -- --ignored --nocapture more_machines
