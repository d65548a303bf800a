#!/usr/bin/env bash
# Films and files in a real S3 server: the store's contract, run against one that lives as long as this script.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/test-tools.sh
. scripts/test-tools.sh

if [ "$(uname -m)" != x86_64 ]; then
  echo "the S3 server for tests is built for x86_64 only: left out"
  exit 0
fi
venv="$(tools_venv s3 tests/tools/s3.txt)"
dir="$(mktemp -d)"
server=
# shellcheck disable=SC2329 # called by the trap
finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$dir"
}
trap finish EXIT

master="$(tools_port)" volume="$(tools_port)" filer="$(tools_port)" s3="$(tools_port)"
cat >"$dir/s3.json" <<JSON
{"identities": [{"name": "test", "credentials": [{"accessKey": "key", "secretKey": "secret"}], "actions": ["Admin"]}]}
JSON
"$venv/bin/weed" server -dir="$dir" -ip=127.0.0.1 -ip.bind=127.0.0.1 -master.port="$master" -volume.port="$volume" \
  -filer=true -filer.port="$filer" -s3 -s3.port="$s3" -s3.config="$dir/s3.json" -master.volumeSizeLimitMB=64 \
  -volume.max=20 >"$dir/log" 2>&1 &
server=$!

export AWS_ENDPOINT_URL="http://127.0.0.1:$s3" AWS_ACCESS_KEY_ID=key AWS_SECRET_ACCESS_KEY=secret AWS_REGION=us-east-1
for _ in $(seq 120); do
  python3 - "$s3" <<'PY' 2>/dev/null && break
import socket, sys
socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1)
PY
  kill -0 "$server" 2>/dev/null || { cat "$dir/log"; exit 1; }
  sleep 0.5
done
"$venv/bin/weed" shell -master="127.0.0.1:$master" -filer="127.0.0.1:$filer" <<<"s3.bucket.create -name compere" >/dev/null 2>&1
COMPERE_TEST_S3=s3://compere cargo test --release -p compere-store --test contract -- --nocapture s3_keeps_the_contract
