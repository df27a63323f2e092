// How WebAssembly starts in this process; decides nothing about grammars.
import { setFlagsFromString } from 'node:v8';

/**
 * V8 compiles the giant lexer functions a second time in the background, and the end of the process waits for it.
 * To be called before anything is parsed, by a process of our own that will parse little: with more than about 2 MB the
 * second compilation pays.
 */
export function startQuickly(): void {
  for (const flag of ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'])
    setFlagsFromString(flag);
}
