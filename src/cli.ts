// The command line: reads arguments, runs one command, prints and exits. What it prints is made elsewhere.
import { print } from './commands/outputs.ts';
import { run } from './commands/run.ts';
import { printable } from './reporters/report.ts';

run(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    // Not 1, which says that something was found. An error may quote all of a long text.
    const said = String(error?.stack ?? error);
    const short = said.length > 4000 ? `${said.slice(0, 1000)} … ${said.slice(-1000)}` : said;
    print(
      `subxact: this is a fault of the program, please report it: ${short.split('\n').map(printable).join('\n')}\n`,
      2,
    );
    process.exitCode = 2;
  },
);
