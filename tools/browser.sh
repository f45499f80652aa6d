#!/usr/bin/env bash
# Install the browser that tests of the page drive: Debian's chromium. Prints its path; a sentence and status 1 if
# there is none and none can be installed.
set -euo pipefail

for name in chromium chromium-browser google-chrome; do
  if path=$(command -v "$name"); then
    echo "$path"
    exit 0
  fi
done
if ! command -v apt-get >/dev/null; then
  echo "A browser is needed to test the page, and there is no apt-get to install one. Install chromium." >&2
  exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "A browser is needed to test the page, and only root may install one. Run: sudo apt-get install chromium" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
install() { apt-get install -y --no-install-recommends chromium; }
if ! said=$( (install || { apt-get update && install; }) 2>&1); then
  echo "$said" | tail -20 >&2
  echo "A browser is needed to test the page, and apt-get could not install chromium. Install it by hand." >&2
  exit 1
fi
command -v chromium
