// What there is few of, though nobody writes out how many: what does not grow with the data of a program. What is counted is said elsewhere.
import { child, type Syntax } from '../../syntax.ts';
import { hasWord } from '../../words.ts';
import { argument, keyword } from '../names/arguments.ts';
import { functionAround } from '../names/assignments.ts';
import { api, canonical } from '../names/knowledge.ts';
import { kept, type Place, textOf } from '../names/scope.ts';
import { constantText, resolve } from '../names/values.ts';
import { numberOf } from './counted.ts';

/** What a program has of models, fields, settings, classes and databases, what an object has of attributes, and a tree of levels. */
const FEW = new RegExp(
  [
    /\bsettings\.[A-Z]\w*$/,
    /\._meta\.(\w*fields|\w*many|get_fields\()$/,
    /\bapps\.get_(models|app_configs)\($/,
    /\.__subclasses__\($/,
    /(^|[._])registry(\.|$)|[._]registered_\w+\(?$/,
    /^(dataclasses\.)?(fields|asdict)\($|^inspect\.getmembers\($|^vars\($/,
    /\.(__members__|_fields|model_fields|model_dump\(|__dict__|__table__\.(columns|c))$/,
    /\.changed_data$/,
    /\.(fieldnames|FILES|FILES\.getlist\()$/,
    /^django\.db\.connections(\.all\()?$/,
    /^calendar\.(month|day)_(name|abbr)$/,
    /\.(get_)?(ancestors|parents)\($/,
    /^sys\.argv$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

export function areFew(c: Place, node: Syntax): boolean {
  const name = spelt(c, node);
  if (FEW.test(name) || isTyped(c, node) || areKeywords(c, node)) return true;
  return name.endsWith('(') && api(canonical(name.slice(0, -1)))?.few === true;
}

/** Of a dictionary: what a form or a serializer has, where it is no list of such. */
export const haveFewKeys = (c: Place, node: Syntax): boolean => areFew(c, node) || KEYED.test(spelt(c, node));
const KEYED = /(^|\.)(cleaned_data|validated_data)$/;

/** By the name that it has where it is from, whatever it is imported as. */
function spelt(c: Place, node: Syntax): string {
  const held = node.type === 'call' ? child(node, 'function')! : node;
  if (held.type !== 'attribute' && held.type !== 'identifier') return '';
  const path = resolve(c, held)?.path ?? textOf(c.file, held);
  return node === held ? path : `${path}(`;
}

/** `options["names"]` of a command that takes them: somebody types them. */
function isTyped(c: Place, node: Syntax): boolean {
  const whole = node.type === 'subscript' ? child(node, 'value') : undefined;
  if (!whole || textOf(c.file, whole) !== 'options') return false;
  const name = constantText(c, child(node, 'subscript')!);
  return name !== undefined && takes(c, c.file.root).has(name);
}

/** `parser.add_argument("--shop-names", nargs="*")`; a file that is opened has as many lines as it has. */
const takes = kept(
  ({ file }, _: Syntax) =>
    new Set(
      [...file.text.matchAll(TAKES)].flatMap(([, name, more]) =>
        SEVERAL.test(more!) && !more!.includes('FileType') ? name!.replaceAll('-', '_') : [],
      ),
    ),
);
const TAKES =
  /\.add_argument\((?:\s*["']-\w["'],)?\s*["'](?:--)?(\w[\w-]*)["']([^()]*(?:\([^()]*\)[^()]*)*)\)/g;
const SEVERAL = /\bnargs\s*=|\baction\s*=\s*["']append/;

/** `kwargs` of `**kwargs`: those who call write them out. */
function areKeywords(c: Place, node: Syntax): boolean {
  const around = node.type === 'identifier' ? functionAround(node) : null;
  const name = textOf(c.file, node);
  const all = (around && child(around, 'parameters')?.children) ?? [];
  return all.some((one) => {
    const plain = one.type === 'typed_parameter' ? one.children[0] : one;
    return plain?.type === 'dictionary_splat_pattern' && textOf(c.file, plain.children[0]) === name;
  });
}

export interface Parts {
  times: number | null;
  atMost?: true;
  certainty?: 'possible';
}

/** `"one two".split()`, `text.split(",", 3)`, `path.split("/")`: a path is not deep. */
export function partsOfText(c: Place, call: Syntax): Parts | undefined {
  const by = argument(call, 0);
  const text = child(child(call, 'function')!, 'object');
  const words = by ? 0 : wordsOf(c, text);
  if (words > 0) return { times: words };
  const cuts = argument(call, 1) ?? keyword(c, call, 'maxsplit');
  const most = cuts ? numberOf(c, cuts) : null;
  if (most !== null && most >= 0) return { times: most + 1, atMost: true };
  const sign = by && (constantText(c, by) ?? textOf(c.file, by));
  return sign !== undefined && PATHS.test(sign) ? { times: null, certainty: 'possible' } : undefined;
}

const PATHS = /^(?:[/.\\]|::|os\.sep|os\.path\.sep)$/;

/** How many words are written out; 0 where that is not known. */
function wordsOf(c: Place, text: Syntax | undefined): number {
  if (text?.type !== 'string' || text.children.some((one) => one.type === 'interpolation')) return 0;
  return textOf(c.file, text).slice(1, -1).trim().split(/\s+/).length;
}

/** `while node.parent: …; node = node.parent`: up a tree. */
export function climbs(c: Place, loop: Syntax): boolean {
  const asks = textOf(c.file, child(loop, 'condition'));
  return (child(loop, 'body')?.children ?? []).some((one) => {
    const by = one.type === 'expression_statement' ? one.children[0] : undefined;
    const name = by?.type === 'assignment' ? textOf(c.file, child(by, 'left')) : '';
    const up = name ? textOf(c.file, child(by!, 'right')) : undefined;
    return up?.startsWith(`${name}.`) && PARENT.test(up) && hasWord(asks, name);
  });
}

const PARENT = /(?:^|[._])parent$/;
