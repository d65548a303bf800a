#!/bin/bash
# Paints the portraits of all presenters, or of those named, and keeps them as WebP of at most 15 kB each; and, unless somebody
# is named, what new films can begin as.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
keep() { # PICTURE KEPT
    for quality in 86 80 74 66; do
        ffmpeg -v error -nostdin -y -i "$1" -c:v libwebp -compression_level 6 -quality "$quality" "$2"
        [ "$(stat -c %s "$2")" -gt 15000 ] || break
    done
}
cargo build --quiet --workspace --release --example portraits --example starts
target/release/examples/portraits "${COMPERE_ASSETS:-assets}" "$folder" "$@"
for picture in "$folder"/*.ppm; do
    keep "$picture" "crates/compere-avatar/portraits/$(basename "$picture" .ppm).webp"
done
[ $# -eq 0 ] || exit 0
target/release/examples/starts "${COMPERE_ASSETS:-assets}" "$folder"
for picture in "$folder"/*.png; do
    keep "$picture" "crates/compere/static/starts/$(basename "$picture" .png).webp"
done
