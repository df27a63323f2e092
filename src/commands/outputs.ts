// Where reports go: any number of formats, each printed or written to a file, whole or not at all.
import {
  chmodSync, realpathSync, renameSync, rmSync, statSync, writeFileSync, writeSync,
} from 'node:fs'; // biome-ignore format: one list
import { dirname, resolve } from 'node:path';
import { reason } from '../project/files/files.ts';
import { makeFolder } from '../project/files/folders.ts';
import { formats } from '../reporters/index.ts';
import { Mistake } from './mistake.ts';
import type { Values } from './options.ts';
import { uninterrupted, wantsColor } from './terminal.ts';

export interface Output {
  format: string;
  /** `null`: standard output. */
  file: string | null;
}

/** `--format sarif=out.sarif --format text`: a format alone is printed; `--output` names the file of the first. */
export function outputsOf({ format, output }: Values): Output[] {
  const outputs = (format ?? ['text']).map((one): Output => {
    const cut = one.indexOf('=');
    const name = cut < 0 ? one : one.slice(0, cut);
    if (!Object.hasOwn(formats, name))
      throw new Mistake(`no format is called ${name}; there are ${Object.keys(formats).join(', ')}`);
    return { format: name, file: cut < 0 ? null : one.slice(cut + 1) };
  });
  if (output !== undefined) outputs[0]!.file = output;
  for (const { format, file } of outputs)
    if (file === '') throw new Mistake(`which file is ${format} for? Write --format ${format}=FILE`);
  if (outputs.filter(({ file }) => file === null).length > 1)
    throw new Mistake(
      'only one format can be printed: give the others a file, as in --format sarif=report.sarif',
    );
  const files = outputs.flatMap(({ file }) => file ?? []);
  const twice = files.find((file, at) => files.indexOf(file) < at);
  if (twice !== undefined) throw new Mistake(`two formats cannot be written to one file: ${twice}`);
  return outputs;
}

export async function writeOutputs(
  outputs: Output[],
  cwd: string,
  render: (output: Output, color: boolean) => string,
): Promise<void> {
  for (const output of outputs) {
    if (output.file === null) print(render(output, wantsColor()));
    else {
      const text = render(output, false);
      await uninterrupted(() => writeWhole(resolve(cwd, output.file!), text));
    }
  }
}

/** Through a file beside it, so that nobody reads half of one; what a link names is written, with the mode it has. */
export function writeWhole(file: string, text: string | Uint8Array): void {
  let part: string | undefined;
  try {
    makeFolder(dirname(file));
    const old = statSync(file, { throwIfNoEntry: false });
    if (old && !old.isFile()) {
      writeFileSync(file, text); // a pipe, a terminal: nobody reads half of it
      return;
    }
    const target = old ? realpathSync(file) : file;
    part = `${target}.${process.pid}.part`;
    writeFileSync(part, text);
    if (old) chmodSync(part, old.mode);
    renameSync(part, target);
  } catch (error) {
    if (part) rmSync(part, { force: true });
    throw new Mistake(`${file} could not be written: ${reason(error)}`);
  }
}

/**
 * At once and whole: a process that ends may lose what a pipe has not taken yet. `subxact | head` is no error. Node's
 * streams would take longer to load than a small file takes to read.
 */
export function print(text: string | Buffer, to: 1 | 2 = 1): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(to, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Nobody reads it, or there is nowhere else to complain.
      if (code === 'EPIPE' || (code !== 'EAGAIN' && to === 2)) return;
      if (code !== 'EAGAIN')
        throw new Mistake(`standard output could not be written: ${(error as Error).message}`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5); // the pipe is full for now
    }
  }
}
