#!/usr/bin/env node
// Starts the bundled program; everything else is in dist/.
import '../dist/cli.js';
