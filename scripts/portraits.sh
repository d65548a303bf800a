#!/bin/bash
# Paints the portraits of all presenters, or of those named, and keeps them as WebP of at most 15 kB each.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cargo build --quiet --workspace --release --example portraits
target/release/examples/portraits "${COMPERE_ASSETS:-assets}" "$folder" "$@"
for picture in "$folder"/*.ppm; do
    kept=crates/compere-avatar/portraits/$(basename "$picture" .ppm).webp
    for quality in 86 80 74 66; do
        ffmpeg -v error -nostdin -y -i "$picture" -c:v libwebp -compression_level 6 -quality "$quality" "$kept"
        [ "$(stat -c %s "$kept")" -gt 15000 ] || break
    done
done
