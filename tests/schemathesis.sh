#!/usr/bin/env bash
# The service is sent what its own OpenAPI document allows and forbids: no answer may be a 5xx or undocumented.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/test-tools.sh
. scripts/test-tools.sh

venv="$(tools_venv schemathesis tests/tools/schemathesis.txt)"
dir="$(mktemp -d)"
service=
# shellcheck disable=SC2329 # called by the trap
finish() {
  [ -z "$service" ] || kill "$service" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$dir"
}
trap finish EXIT

COMPERE_DATA="$dir/data" COMPERE_LISTEN=127.0.0.1:0 COMPERE_WELCOME=false COMPERE_ASSETS="${COMPERE_ASSETS:-$PWD/assets}" \
  "$COMPERE" serve >"$dir/out" 2>"$dir/log" &
service=$!
for _ in $(seq 100); do
  ! grep -q userKey "$dir/out" || break
  kill -0 "$service" 2>/dev/null || { cat "$dir/log"; exit 1; }
  sleep 0.2
done
word() { awk -v key="$1" '$1 == key { print $NF }' "$dir/out"; }
base="$(word Compere)"
token="$(curl -sf "$base/api/odin/v3/auth/token" -d "{\"appId\": \"$(word appId)\", \"userKey\": \"$(word userKey)\"}" |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["data"]["token"])')"

# The token's own endpoint is left out: revoking it would end the run.
timeout 240 "$venv/bin/schemathesis" run "$base/docs/openapi.json" -H "Authorization: $token" \
  --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance --phases examples,fuzzing --max-examples 6 --seed 1 \
  --exclude-path-regex 'auth/token|metrics' --request-timeout 20 --no-color
