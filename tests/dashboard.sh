#!/usr/bin/env bash
# Walks through the dashboard in a browser, from the first start to deleting the film.
# Needs: chromium, node, npm, curl (Debian packages). The browser asks nobody but the service.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
export COMPERE_ASSETS="${COMPERE_ASSETS:-$root/assets}"
cd "$(dirname "${BASH_SOURCE[0]}")/dashboard"
for need in node npm curl "${CHROMIUM:-chromium}"; do
  command -v "$need" >/dev/null || { echo "$need is not installed; ./test installs it"; exit 1; }
done
[ node_modules/.package-lock.json -nt package-lock.json ] || PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --silent
export COMPERE="${COMPERE:-${CARGO_TARGET_DIR:-$root/target}/release/compere}"
exec node journey.mjs
