#!/bin/sh
# Brings the libraries of pom.xml where random programs find them; the proofs have theirs, which they throw away first. Several tests may ask for it at the same time.
set -eu
cd "$(dirname "$0")"
mkdir -p build
exec 9> build/install.lock
flock 9
if ! cmp -s pom.xml build/programs/pom.xml; then
  mvn -q -B dependency:copy-dependencies -DoutputDirectory=build/programs
  cp pom.xml build/programs/pom.xml
fi
