#!/usr/bin/env bash
# The image of deploy/Containerfile, built by buildah on a Debian that is made here, and tried: without a registry, and without a
# server for containers. Before that the compose file and the Containerfile are read (scripts/deployment/compose.py).
#   scripts/image.sh            the last stage, with a program that exists: $COMPERE, or target/release/compere; and its trial
#   scripts/image.sh setup      the first stage, as far as the program: packages, Rust, voices, presenters
#   scripts/image.sh whole      all of it as it is written, which compiles for half an hour; and its trial
#   scripts/image.sh read       nothing is built
# Wants root, buildah and mmdebstrap (Debian has both), and keeps what it built in .tools/image for the next time. BASE names another
# base, an image of Debian 12; ISOLATION another way than chroot.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/test-tools.sh
. scripts/test-tools.sh

what="${1:-last}"
compere="${COMPERE:-${CARGO_TARGET_DIR:-$PWD/target}/release/compere}"
assets="${COMPERE_ASSETS:-$PWD/assets}"
if [ "$(uname -m)" != x86_64 ]; then
  echo "what reads the compose file is pinned for x86_64 only: left out"
  exit 0
fi
"$(tools_venv chart tests/tools/chart.txt)/bin/python" scripts/deployment/compose.py --compere "$compere"
[ "$what" != read ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v buildah >/dev/null || ! command -v mmdebstrap >/dev/null; then
  echo "image: buildah, mmdebstrap and root are wanted, and not all are here: nothing is built (apt-get install buildah mmdebstrap)"
  exit 0
fi

dir="$(mktemp -d)"
store="$TOOLS/image"
trial=
b() { buildah --root "$store" --runroot "$dir/run" "$@"; }
# shellcheck disable=SC2329 # called by the trap
finish() {
  [ -z "$trial" ] || b rm "$trial" >/dev/null || true
  rm -rf "$dir"
}
trap finish EXIT

# Debian 12 as debian:12-slim has it, and certificates of those whom this machine trusts beyond Debian.
base() {
  local made authorities=/usr/local/share/ca-certificates sources
  if ! b inspect --type image localhost/compere-base >/dev/null 2>&1; then
    # From where this machine's own packages come.
    # shellcheck disable=SC2016 # words of apt's
    mapfile -t sources < <(apt-get indextargets --format 'deb $(SITE) $(RELEASE) main' | grep ' bookworm' | sort -u)
    mmdebstrap --quiet --variant=minbase --include=ca-certificates bookworm "$dir/base.tar" "${sources[@]}"
    made="$(b from scratch)"
    b add --quiet "$made" "$dir/base.tar" / >/dev/null
    if [ -d "$authorities" ]; then
      b copy --quiet "$made" "$authorities" "$authorities" >/dev/null
      b run --isolation chroot "$made" -- update-ca-certificates >/dev/null 2>&1
    fi
    b commit --quiet --rm "$made" localhost/compere-base >/dev/null
    rm "$dir/base.tar"
  fi
  echo localhost/compere-base
}

build() { # CONTAINERFILE OPTION…
  local file="$1"
  shift
  b bud --quiet --layers --isolation "${ISOLATION:-chroot}" --build-arg "BASE=$BASE" -f "$file" "$@" . >"$dir/log" 2>&1 || {
    tail -n 40 "$dir/log"
    echo "image: $file was not built"
    exit 1
  }
}

# What the first stage would have left, at its place.
last_stage() {
  mkdir -p "$dir/made/src/target/release" "$dir/made/usr/local/share/compere"
  cp "$compere" "$dir/made/src/target/release/compere"
  cp -R "$assets" "$dir/made/usr/local/share/compere/assets"
  sed '/^FROM .* AS build$/,/^$/d' deploy/Containerfile >"$dir/Containerfile"
  build "$dir/Containerfile" --build-context "build=$dir/made" -t localhost/compere
}

in_image() { b run --isolation "${ISOLATION:-chroot}" "${mounts[@]}" "$trial" -- "$@"; }

# Everything as the image's own user, whose home is the volume.
# shellcheck disable=SC2016 # the shell in the image is meant
try() {
  local start=$SECONDS
  mounts=(-v "$PWD/examples:/examples:ro" -v "$PWD/crates/compere-import/tests/corpus:/decks:ro" -v "$PWD/scripts:/scripts:ro")
  trial="$(b from localhost/compere)"
  in_image compere --version
  in_image bash -euc '
    [ "$(id -u):$(id -g)" = 7300:7300 ] || { echo "runs as $(id)"; exit 1; }
    [ "$(stat -c "%a %u" "$COMPERE_DATA")" = "700 7300" ] || { echo "$COMPERE_DATA is $(stat -c "%a %u" "$COMPERE_DATA")"; exit 1; }
    [ ! -w /usr/local/bin/compere ] && [ ! -w "$COMPERE_ASSETS" ] || { echo "may change what it runs"; exit 1; }
    for name in $(sed -e "s/#.*//" -e "/^build-essential/d" -e "/^pkg-config/d" /scripts/packages.txt); do
      dpkg-query -W -f "\${db:Status-Status}" "$name" 2>/dev/null | grep -qx installed || { echo "$name is not there"; exit 1; }
    done'
  # Fails where something is missing or weak.
  in_image compere doctor
  in_image bash -euc '
    cd /tmp && export COMPERE_DATA=/tmp/data
    compere render /examples/minimal.json -o film.mp4
    [ "$(ffprobe -v error -show_entries stream=codec_name -of csv=p=0 film.mp4 | sort | tr "\n" " ")" = "aac h264 " ]
    compere import /decks/business.pptx -o deck.json
    ls deck-slides/*'
  # A volume as Kubernetes gives it, of root and open to all, and the folder in it that the chart names.
  b run --isolation "${ISOLATION:-chroot}" --user 0 "$trial" -- install -d -m 2777 -g 7300 /volume
  in_image bash -euc '
    COMPERE_DATA=/volume/data COMPERE_LISTEN=127.0.0.1:7399 COMPERE_WELCOME=false compere serve >/tmp/said 2>&1 &
    for _ in $(seq 300); do
      (exec 3<>/dev/tcp/127.0.0.1/7399) 2>/dev/null && break
      kill -0 $! || { cat /tmp/said; exit 1; }
      sleep 0.1
    done
    exec 3<>/dev/tcp/127.0.0.1/7399
    printf "GET /health/ready HTTP/1.0\r\nHost: here\r\n\r\n" >&3
    read -r said <&3
    kill $! && wait $! || { echo "it did not end well"; exit 1; }
    [[ "$said" == *" 200 "* ]] || { echo "not ready: $said"; exit 1; }
    if grep WARN /tmp/said; then exit 1; fi
    [ "$(stat -c %a /volume/data)" = 2700 ] || [ "$(stat -c %a /volume/data)" = 700 ]'
  echo "image: it makes a film, reads a deck and answers ($((SECONDS - start)) s)"
}

BASE="${BASE:-$(base)}"
case "$what" in
  last)
    last_stage
    try
    ;;
  setup)
    sed -n '1,/^RUN bash scripts\/setup.sh$/p' deploy/Containerfile >"$dir/Containerfile"
    # shellcheck disable=SC2016 # the shell in the image is meant
    echo 'RUN bash -c ". scripts/setup.sh && cargo metadata --locked --no-deps --format-version 1 >/dev/null"' \
      >>"$dir/Containerfile"
    build "$dir/Containerfile" -t localhost/compere-build
    echo "image: the first stage is ready to compile"
    ;;
  whole)
    build deploy/Containerfile -t localhost/compere
    try
    ;;
  *)
    echo "image: what is $what? See the top of $0"
    exit 2
    ;;
esac
