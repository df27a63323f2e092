#!/usr/bin/env bash
# Installs a real VS Code (its server build, from the npm registry) for the end-to-end test; nothing else.
# usage: install-vscode.sh FOLDER [VERSION]      needs Debian's chromium, fonts-dejavu-core and ripgrep
set -euo pipefail
DEST=$1
VERSION=${2:-4.100.3}
export npm_config_audit=false npm_config_fund=false npm_config_yes=true
# The headers for native parts come from the installed Node, so that nothing is downloaded for them.
export npm_config_nodedir=${npm_config_nodedir:-$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")}
mkdir -p "$DEST"
cd "$DEST"
[ -f package.json ] || echo '{"private":true}' > package.json
[ -x node_modules/.bin/code-server ] && node_modules/.bin/code-server --version | grep -q "^$VERSION" && exit 0
npm install "code-server@$VERSION" --ignore-scripts
npm rebuild argon2
cd node_modules/code-server/lib/vscode
npm install --omit=dev --ignore-scripts
mkdir -p node_modules/@vscode/ripgrep/bin
ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
for native in @vscode/spdlog native-watchdog node-pty @parcel/watcher @vscode/deviceid; do
  npm rebuild "$native" > /dev/null 2>&1 || echo "note: $native was not rebuilt"
done
rm -rf node_modules.asar
ln -s node_modules node_modules.asar
(cd bin/remote-cli && ln -sf code-linux.sh code-server)
(cd bin/helpers && ln -sf browser-linux.sh browser.sh)
(cd extensions && npm install --omit=dev --ignore-scripts)
"$DEST/node_modules/.bin/code-server" --version
