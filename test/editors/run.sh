#!/usr/bin/env bash
# Every editor that is tested, one after the other: Neovim, Emacs, VS Code. Installs VS Code into build/, nothing else.
# usage: test/editors/run.sh      after `npm ci`; needs Debian's neovim, emacs-nox, elpa-eglot, chromium, fonts-dejavu-core, ripgrep
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build
mkdir -p "$build"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$root"/test/editors/workspace/* "$folder"
export SUBXACT=$root/bin/subxact.js XDG_CACHE_HOME=$folder/.cache
(cd "$folder" && timeout 120 nvim --headless -u NONE -c "luafile $root/test/editors/neovim.lua" log_change.sql)
cp "$root"/test/editors/workspace/* "$folder"
(cd "$folder" && timeout 120 emacs -q --batch -l "$root/test/editors/eglot.el" log_change.sql)
"$root/test/editors/install-vscode.sh" "$build/vscode"
npm --prefix "$root/vscode-extension" ci --ignore-scripts
npm --prefix "$root/vscode-extension" run package
node "$root/test/editors/vscode.mjs" "$build/vscode/node_modules/.bin/code-server" "$build/subxact.vsix" "$build/screenshots"
