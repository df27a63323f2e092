#!/bin/sh
# Brings the libraries of pom.xml where random programs find them; the proofs have theirs, which they throw away first.
set -e
cd "$(dirname "$0")"
if ! cmp -s pom.xml build/programs/pom.xml; then
  mvn -q -B dependency:copy-dependencies -DoutputDirectory=build/programs
  cp pom.xml build/programs/pom.xml
fi
