#!/usr/bin/env bash
# Pictures of every page, light, dark and on a phone: tests/dashboard/shots.sh [FOLDER] [PATTERN]
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
export COMPERE_ASSETS="${COMPERE_ASSETS:-$root/assets}"
cd "$(dirname "${BASH_SOURCE[0]}")"
[ -d node_modules/playwright-core ] || PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --silent
export COMPERE="${COMPERE:-${CARGO_TARGET_DIR:-$root/target}/release/compere}"
exec node shots.mjs "${1:-out}" "${2:-}"
