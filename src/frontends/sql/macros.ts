// Puts holes where a template or a preprocessor puts text, of the same length, so that every place stays.
import { HOLE } from './lexer.ts';

const hole = (text: string) => HOLE.repeat(text.length);

export function mask(text: string): string {
  return text.replace(/\{\{[^}]*\}\}|\$\{[\w.:-]+\}/g, hole);
}
