#!/bin/sh
# The migration tools that the proof runs, from npm into build/migrations.
set -eu
cd "$(dirname "$0")/../../.."
[ ! -d build/migrations/node_modules ] || exit 0
mkdir -p build/migrations
cd build/migrations
echo '{ "private": true, "type": "module" }' > package.json
npm install --ignore-scripts --no-audit --no-fund --no-package-lock --silent \
  drizzle-orm@0.45.4 pg@8.23.1 postgres@3.4.9 node-pg-migrate@9.0.0 dbmate@2.36.0 graphile-migrate@1.4.1
