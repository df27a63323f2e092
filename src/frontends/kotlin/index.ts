// The front end for Kotlin: parses and lowers.
import type { Unit } from '../../ir.ts';
import { lowerFile } from '../jvm/lower.ts';
import { parse } from './syntax/parse.ts';

export function lower(path: string, text: string): Unit {
  const { file, cut, broken } = parse(text);
  const unit = lowerFile(path, text, 'kotlin', file);
  if (cut) unit.problems.push({ message: 'nested too deeply: a part was not read', partial: true });
  if (broken) {
    unit.broken = true;
    unit.problems.push({ message: 'syntax error', partial: true });
  }
  return unit;
}
