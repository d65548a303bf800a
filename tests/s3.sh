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
service=
# shellcheck disable=SC2329 # called by the trap
finish() {
  [ -z "$service" ] || kill "$service" 2>/dev/null || true
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$dir"
}
trap finish EXIT

master="$(tools_port)" volume="$(tools_port)" filer="$(tools_port)" s3="$(tools_port)"
cat >"$dir/s3.json" <<JSON
{"identities": [{"name": "test", "credentials": [{"accessKey": "key", "secretKey": "secret"}], "actions": ["Admin"]}]}
JSON
# Two of its doors have numbers of their own and nobody here knocks: a second server on the machine would end for them.
"$venv/bin/weed" server -dir="$dir" -ip=127.0.0.1 -ip.bind=127.0.0.1 -master.port="$master" -volume.port="$volume" \
  -filer=true -filer.port="$filer" -s3 -s3.port="$s3" -s3.port.iceberg=0 -s3.port.lance=0 -s3.config="$dir/s3.json" \
  -master.volumeSizeLimitMB=64 -volume.max=20 >"$dir/log" 2>&1 &
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
COMPERE_TEST_S3=s3://compere cargo test --workspace --release --test contract -- --nocapture --include-ignored s3_keeps_the_contract

# The service on the same store: films lie there, and whoever downloads one is sent there.
compere="${COMPERE:-${CARGO_TARGET_DIR:-$PWD/target}/release/compere}"
[ -x "$compere" ] || cargo build --release --quiet
COMPERE_DATA="$dir/data" COMPERE_LISTEN=127.0.0.1:0 COMPERE_WELCOME=false COMPERE_WORKERS=1 \
  COMPERE_OBJECTS=s3://compere "$compere" serve >"$dir/serve" 2>"$dir/serve.log" &
service=$!
for _ in $(seq 600); do
  grep -q userKey "$dir/serve" && break
  kill -0 "$service" 2>/dev/null || { cat "$dir/serve.log"; exit 1; }
  sleep 0.1
done
told() { sed -n "s/^ *$1 *//p" "$dir/serve"; }
api="$(told 'Compere is at')/api/odin/v3"
token="$(curl -s "$api/auth/token" -d "{\"appId\": \"$(told appId)\", \"userKey\": \"$(told userKey)\"}" | jq -er .data.token)"
# A picture that lies in the store as well: workers have no keys of it and fetch by passes.
python3 - "$dir/red.png" <<'PY'
import struct, sys, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
rows = (b"\0" + b"\xff\0\0" * 32) * 32
open(sys.argv[1], "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 32, 32, 8, 2, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
PY
picture="$(curl -s "$api/assets" -H "Authorization: $token" -F "file=@$dir/red.png" | jq -er .data.url)"
id="$(curl -s "$api/editor/project" -H "Authorization: $token" -d '{"name": "kept in S3", "resolution": 480, "scenes": [{
  "sceneIdx": 0, "duration": 1, "background": {"source_color": "rgb(20,40,60)"}, "clips": [
    {"id": "red", "type": "image", "layer": 1, "left": 0, "top": 0, "width": 1920, "height": 1080, "source_url": "'"$picture"'"}],
  "scripts": [{"org": "Hello.", "isTTS": true, "tts": {"voice": "tone"}, "modelId": "figure", "clothId": "figure/plain"}]
}]}' | jq -er .data.projectId)"
for _ in $(seq 1200); do
  progress="$(curl -s "$api/editor/progress/$id" -H "Authorization: $token")"
  [ "$(jq -r '.data.progress == 100 or .success == false' <<<"$progress")" = false ] || break
  sleep 0.2
done
film="$(jq -er .data.downloadUrl <<<"$progress")" || { echo "no film: $progress"; exit 1; }
answer="$(curl -s -o /dev/null -w '%{http_code} %{redirect_url}' "$film")"
case "$answer" in
"302 $AWS_ENDPOINT_URL/compere/exports/"*) ;;
*) echo "a download is not sent to the store: $answer" && exit 1 ;;
esac
curl -sSfL "$film" -o "$dir/film.mp4"
[ "$(head -c 8 "$dir/film.mp4" | tail -c 4)" = ftyp ] || { echo "what came is no film"; exit 1; }
[ "$(curl -sSfL -r 4-7 "$film")" = ftyp ] || { echo "a part cannot be had"; exit 1; }
red="$(ffmpeg -v error -i "$dir/film.mp4" -frames:v 1 -vf scale=1:1 -f rawvideo -pix_fmt rgb24 - | od -An -tu1 | awk '{ print ($1 > 200 && $2 < 60 && $3 < 60) }')"
[ "$red" = 1 ] || { echo "the picture from the store is not in the film"; exit 1; }
[ "$(stat -c %s "$dir/film.mp4")" = "$(jq .data.sizeBytes <<<"$progress")" ] || { echo "the film is not whole"; exit 1; }
bare="${answer#302 }"
[ "$(curl -s -o /dev/null -w '%{http_code}' "${bare%%\?*}")" = 403 ] || { echo "the store gives films away"; exit 1; }
kill "$service" && wait "$service"
echo "a film made, kept and fetched from S3"
