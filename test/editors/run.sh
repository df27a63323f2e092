#!/usr/bin/env bash
# Every editor that is tested, one after the other: Neovim, Emacs, VS Code. Installs VS Code into build/, nothing else.
# usage: test/editors/run.sh      after `npm ci`; needs Debian's neovim, emacs-nox, elpa-eglot, chromium, fonts-dejavu-core, ripgrep
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build
here=$root/test/editors
mkdir -p "$build"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$here"/workspace/* "$folder"
export SUBXACT=$root/bin/subxact.js XDG_CACHE_HOME=$folder/.cache
(cd "$folder" && timeout 120 nvim --headless -u NONE -c "luafile $here/neovim.lua" log_change.sql)
cp "$here"/workspace/* "$folder"
(cd "$folder" && timeout 120 emacs -q --batch -l "$here/eglot.el" log_change.sql)

npm --prefix "$root/vscode-extension" ci --ignore-scripts
npm --prefix "$root/vscode-extension" run package
(cd "$here/stand-in" && "$root/vscode-extension/node_modules/.bin/vsce" package --no-dependencies --skip-license \
  --allow-missing-repository --out "$build/stand-in.vsix")
vscode() { # VERSION
  "$here/install-vscode.sh" "$build/vscode-$1" "$1"
  # A browser on a busy machine may be late once; twice is a failure.
  for _ in 1 2; do
    node "$here/vscode.mjs" "$build/vscode-$1/node_modules/.bin/code-server" "$build/subxact.vsix" \
      "$build/stand-in.vsix" "$build/screenshots-$1" && return
  done
  return 1
}
# The last that runs on Node 20, and the newest, which needs Node 24.
vscode 4.100.3
npm install --no-save --no-audit --no-fund --prefix "$build/node24" "node@24"
PATH=$build/node24/node_modules/node/bin:$PATH
vscode 4.139.1
