#!/usr/bin/env bash
# Every operation that the API's document describes was answered with success in the service's tests, where each answer is held
# to the document: what nobody ever sees answered could say anything.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
met="${CARGO_TARGET_DIR:-$PWD/target}/tmp/operations-met"
[ -s "$met" ] || { echo "no list of operations: run the service's tests first (./test service)"; exit 1; }
described="$(jq -r '.paths | to_entries[] | .key as $path | .value | to_entries[]
  | select(.key | IN("get", "post", "put", "patch", "delete")) | "\(.key) \($path)"' docs/openapi.json | LC_ALL=C sort)"
unmet="$(LC_ALL=C comm -23 <(echo "$described") <(LC_ALL=C sort "$met"))"
if [ -n "$unmet" ]; then
  printf 'described, and never answered with success:\n%s\n' "$unmet"
  exit 1
fi
echo "$(wc -l <<<"$described") operations were answered as they are described"
