#!/bin/sh
# Installs what the proofs with Python need from PyPI into build/python; several tests may ask for it at the same time.
set -eu
cd "$(dirname "$0")/../../.."
mkdir -p build
exec 9> build/python.lock
flock 9
[ -x build/python/bin/python ] || python3 -m venv build/python
build/python/bin/python -m pip install --quiet --requirement test/frameworks/python/requirements.txt
