#!/usr/bin/env bash
# Make .venv with the Python given. Debian without python3-venv has no ensurepip: then without pip inside,
# and tools/pip.sh uses the machine's pip on it.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:-python3}

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
  echo "treewright needs Python 3.11 or newer. Got $("$python" --version 2>&1). Use: make PYTHON=python3.11 ..." >&2
  exit 1
}
command -v "${CXX:-g++}" >/dev/null || {
  echo "A C++20 compiler is needed and ${CXX:-g++} was not found. Install g++, or set CXX." >&2
  exit 1
}
echo "making .venv ..."
"$python" -m venv --clear .venv >/dev/null 2>&1 || "$python" -m venv --clear --without-pip .venv
