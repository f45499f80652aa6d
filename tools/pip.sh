#!/usr/bin/env bash
# pip on .venv, or on the environment in $VENV: its own where it has one, else the machine's.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${VENV:-.venv}/bin/python
options=(--quiet --quiet --disable-pip-version-check --no-input)
if "$python" -m pip --version >/dev/null 2>&1; then
  exec "$python" -m pip "$@" "${options[@]}"
fi
exec "${PYTHON:-python3}" -m pip --python "$python" "$@" "${options[@]}"
