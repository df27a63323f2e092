// The command line: reads arguments, runs one command, prints and exits. What it prints is made elsewhere.
import { run } from './commands/run.ts';

process.stdout.on('error', quietWhenClosed);
process.stderr.on('error', quietWhenClosed);

/** `subxact | head` is no error. */
function quietWhenClosed(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}

run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
