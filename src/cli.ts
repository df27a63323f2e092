// The command line: reads arguments, runs one command, prints and exits. What it prints is made elsewhere.
import { run } from './commands/run.ts';

run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
