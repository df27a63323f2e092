// Conditions that ask which database a connection speaks to: here it is PostgreSQL. Where that is told, the tables say.
import { child, type Syntax } from '../../syntax.ts';
import { assignments, assignmentsOf } from '../names/assignments.ts';
import { tellsVendor } from '../names/knowledge.ts';
import { type File, kept, type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

const OTHERS = /^(?:sqlite3?|mysql|mariadb|oracle|mssql|microsoft|sqlserver|cockroachdb|duckdb|snowflake)$/;
/** As a class of a framework is named, of which there is more than one for a database. */
const OTHER_CLASS = /\b(?:sqlite3|mysql|oracle|mssql)\b/;
/** How many names stand for one another, at the most. */
const DEEPEST = 3;

/** Most files ask nobody. */
const asks = kept((_, file: File) => tellsVendor().words.test(file.text));

/** Whether the condition holds where PostgreSQL is spoken to, as far as it asks for that. */
export function speaksOurs(c: Place, condition: Syntax | undefined, depth = 0): boolean | undefined {
  if (!condition || depth > DEEPEST || !asks(c, c.file)) return undefined;
  switch (condition.type) {
    case 'not_operator': {
      const is = speaksOurs(c, condition.children.at(-1), depth);
      return is === undefined ? undefined : !is;
    }
    case 'boolean_operator': {
      const left = speaksOurs(c, child(condition, 'left'), depth);
      const right = speaksOurs(c, child(condition, 'right'), depth);
      const decides = textOf(c.file, child(condition, 'operator')) === 'or';
      if (left === decides || right === decides) return decides;
      return left === right ? left : undefined;
    }
    case 'identifier': {
      const name = textOf(c.file, condition);
      const value = assignments(c, condition, name) === 1 ? assignmentsOf(c, condition, name)[0] : undefined;
      return value && value.end < condition.start
        ? speaksOurs(c, child(value, 'right'), depth + 1)
        : undefined;
    }
    case 'comparison_operator':
      return compared(c, condition);
    default:
      return undefined;
  }
}

/** `connection.vendor == "sqlite"`, `bind.dialect.name not in ("mysql", "mariadb")`, `"sqlite" in DATABASES["default"]["ENGINE"]` */
function compared(c: Place, node: Syntax): boolean | undefined {
  const [left, sign, right, more] = node.children;
  if (!left || !sign || !right || more) return undefined;
  const between = textOf(c.file, sign).replace(/\s+/g, ' ');
  const isTold = (one: Syntax) => tellsVendor().endings.some((end) => written(c, one).endsWith(end));
  if (between === '==' || between === '!=') {
    const is = isTold(left) ? isOurs(c, right) : isTold(right) ? isOurs(c, left) : undefined;
    return is === undefined ? undefined : is === (between === '==');
  }
  if (between !== 'in' && between !== 'not in') return undefined;
  const positive = between === 'in';
  if (isTold(right) && left.type === 'string') {
    const part = constant(c, left);
    if (/^postgre/.test(part)) return positive;
    return OTHERS.test(part) ? !positive : undefined;
  }
  if (!isTold(left) || !/^(list|tuple|set)$/.test(right.type)) return undefined;
  const all = right.children.filter((one) => one.type !== 'comment').map((one) => isOurs(c, one));
  if (all.some((one) => one === true)) return positive;
  return all.every((one) => one === false) ? !positive : undefined;
}

/** As it is called where it is imported from: `from django.db import connection as db`. */
function written(c: Place, node: Syntax): string {
  const text = textOf(c.file, node);
  const object = node.type === 'attribute' ? child(node, 'object') : undefined;
  const path = object?.type === 'identifier' ? resolve(c, object)?.path : undefined;
  return path ? `${path}${text.slice(text.indexOf('.'))}` : text;
}

function isOurs(c: Place, node: Syntax): boolean | undefined {
  if (node.type !== 'string') return undefined;
  const name = constant(c, node);
  if (name === 'postgresql') return true;
  return OTHERS.test(name) || (name.includes('.') && OTHER_CLASS.test(name)) ? false : undefined;
}

const constant = (c: Place, node: Syntax): string =>
  /^["']([\w.]+)["']$/.exec(textOf(c.file, node))?.[1] ?? '';
