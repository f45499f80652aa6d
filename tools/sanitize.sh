#!/usr/bin/env bash
# The same pytest suite with the core under the address and undefined-behaviour sanitizers, then the thread
# pool's own check under the thread sanitizer. Arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."
home=build/sanitize
python=$PWD/.venv/bin/python

# A second environment that borrows .venv's packages by path: Python reads no .pth files there, so the
# editable install of .venv, which would win over any other, is not seen.
if [ ! -x $home/venv/bin/python ]; then
  "$python" -m venv --without-pip $home/venv
  site=$($home/venv/bin/python -c 'import site; print(site.getsitepackages()[0])')
  "$python" -c 'import site; print(site.getsitepackages()[0])' >"$site/borrowed.pth"
fi

echo "building with the address and undefined-behaviour sanitizers ..."
VENV=$home/venv tools/pip.sh install --no-deps --no-build-isolation --force-reinstall \
  --config-settings=build-dir=$home/address --config-settings=install.strip=false \
  --config-settings=cmake.define.TREEWRIGHT_SANITIZE=address,undefined .

# Python itself is not instrumented, hence the preload; what it keeps until exit is not our leak.
LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libubsan.so)" \
ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
TREEWRIGHT_SANITIZED=1 \
  $home/venv/bin/python -m pytest -q -p no:cacheprovider --timeout 1200 "$@"

echo "building the thread pool's check with the thread sanitizer ..."
cmake=$("$python" -c 'import cmake, os; print(os.path.join(cmake.CMAKE_BIN_DIR, "cmake"))')
"$cmake" -S . -B $home/thread -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTREEWRIGHT_SANITIZE=thread \
  -DPython_EXECUTABLE="$python" -Dnanobind_DIR="$("$python" -m nanobind --cmake_dir)" >/dev/null
"$cmake" --build $home/thread --target pool_check --parallel >/dev/null
TSAN_OPTIONS=halt_on_error=1 "$(find $home/thread -name pool_check -type f -perm -u+x | head -n 1)"
echo "sanitize: clean"
