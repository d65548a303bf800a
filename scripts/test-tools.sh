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
