// Blanks the comments of configuration files and of languages that no front end reads; what remains keeps its place.
import { withoutTemplate } from './template.ts';

type Kind = RegExp;

/** To the end of the line, where nothing but space stands before. */
const HASH_LINE: Kind = /^[ \t]*[#!;].*/gm;
/** Behind a value too. */
const HASH: Kind = /(?:^|[ \t])#.*/gm;
const SLASHES: Kind = /(?:^|[ \t])\/\/.*/gm;
/** Not `**` of a path pattern: something else than space would stand before. */
const STARS: Kind = /(?:^|[\s(,;{])\/\*[\s\S]*?(?:\*\/|$(?![\s\S]))/g;
const SEMICOLONS: Kind = /(?:^|[ \t]);.*/gm;
const REMARKS: Kind = /^[ \t]*@?(?:rem\b|::).*/gim;
const BASIC: Kind = /^[ \t]*(?:'|rem\b).*/gim;
/** What Python's functions, classes and modules say of themselves. */
const DOCSTRINGS: Kind = /[rR]?("""|''')(?<=(?:^|:[ \t]*\r?\n)\s*[rR]?\1)[\s\S]*?\1/g;
const XML: Kind = /<!--[\s\S]*?(?:-->|$(?![\s\S]))/g;

const KINDS: [files: RegExp, kinds: Kind[]][] = [
  [/\.(?:xml|config)$/i, [XML]],
  [
    /\.(?:gradle|groovy|gvy|scala|sc|sbt|kts|json|jsonc|json5|dsl|cs|fs|bicep|jsonnet|libsonnet)$/i,
    [STARS, SLASHES],
  ],
  [/\.(?:vb|vbs|bas|cls)$/i, [BASIC]],
  [/\.pyw?$/i, [HASH, DOCSTRINGS]],
  [/\.(?:conf|php|tf|tfvars|hcl|nomad)$/i, [STARS, SLASHES, HASH]],
  [/\.(?:edn|clj|cljc|cljs)$/i, [SEMICOLONS]],
  [/\.(?:properties|cfg|ini)$/i, [HASH_LINE]],
  [/\.(?:bat|cmd)$/i, [REMARKS]],
  [/\.sql$/i, []],
  [/./, [HASH]],
];

export function withoutComments(file: string, text: string): string {
  const kinds = KINDS.find(([files]) => files.test(withoutTemplate(file)))![1];
  return kinds.reduce(blank, text);
}

export const blank = (text: string, pattern: RegExp) =>
  text.replace(pattern, (found) => found.replace(/[^\r\n]/g, ' '));
