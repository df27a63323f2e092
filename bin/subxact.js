#!/usr/bin/env node
// Starts the bundled program; everything else is in dist/. CommonJS, as package.json beside it says: it starts sooner.
require('../dist/cli.js');
