#!/usr/bin/env bash
# The engine of many machines passes the suite that every engine passes, against a real Temporal server, which lives as long
# as this script. Builds with the feature `temporal`.
#   scripts/farm.sh [NAME…]      the tests whose names contain NAME, or all
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/test-tools.sh
. scripts/test-tools.sh

if [ "$(uname -m)" != x86_64 ]; then
  echo "the Temporal server for tests is built for x86_64 only: left out"
  exit 0
fi
locked=()
[ -z "${CI:-}" ] || locked=(--locked)
suite=(cargo test --workspace --release "${locked[@]}" --features compere-farm/temporal --test farm)
"${suite[@]}" --no-run

temporal="$(tools_venv farm tests/tools/farm.txt)/bin/temporal"
dir="$(mktemp -d)"
# Temporal writes every step through to the disk, and one that a build is busy with is slow.
fast="$dir"
[ ! -w /dev/shm ] || fast="$(mktemp -d -p /dev/shm)"
server=
# shellcheck disable=SC2329 # called by the trap
finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$dir" "$fast"
}
trap finish EXIT

# One partition of queues, as one machine has it: accounts then take turns exactly.
port="$(tools_port)"
"$temporal" server start-dev --headless --ip 127.0.0.1 --port "$port" --http-port "$(tools_port)" \
  --metrics-port "$(tools_port)" --db-filename "$fast/temporal.db" --log-level error \
  --dynamic-config-value matching.enableFairness=true \
  --dynamic-config-value matching.numTaskqueueReadPartitions=1 \
  --dynamic-config-value matching.numTaskqueueWritePartitions=1 >"$dir/log" 2>&1 &
server=$!
for _ in $(seq 120); do
  "$temporal" operator namespace describe --address "127.0.0.1:$port" default >/dev/null 2>&1 && break
  kill -0 "$server" 2>/dev/null || { cat "$dir/log"; exit 1; }
  sleep 0.5
done
COMPERE_TEST_TEMPORAL="temporal://127.0.0.1:$port/default" "${suite[@]}" -- --test-threads 2 "$@"
