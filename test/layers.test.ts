// Holds the layers: who may import whom. The table is the law; src/README.md shows it to people.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** Each room, and the rooms it may import besides itself. `node` is Node's own modules, `npm` any package. */
const MAY: Record<string, string[]> = {
  'src/ir.ts': [],
  'src/describe.ts': ['src/ir.ts'],
  'src/framework.ts': ['src/ir.ts'],
  'src/rule.ts': ['src/ir.ts', 'src/linker'],
  'src/frameworks': ['src/ir.ts', 'src/framework.ts'],
  'src/frontends': ['src/ir.ts', 'src/framework.ts', 'src/frameworks', 'npm', 'node'],
  'src/linker': ['src/ir.ts'],
  'src/reporters': ['src/ir.ts', 'src/rule.ts'],
  'src/editor': ['src/ir.ts', 'src/rule.ts', 'src/linker', 'src/analyse.ts', 'src/project', 'node'],
  'src/project': ['src/ir.ts', 'src/rule.ts', 'node', 'npm'],
  'src/analyse.ts': ['src/ir.ts', 'src/rule.ts', 'src/frontends', 'src/linker', 'rules'],
  'src/tool.ts': ['package.json'],
  'src/commands': ['*'],
  'src/cli.ts': ['*'],
  'src/lsp.ts': ['*'],
  'src/worker.ts': ['src/analyse.ts', 'src/ir.ts', 'src/project', 'node'],
  rules: ['src/rule.ts'],
};
const ROOMS = Object.keys(MAY).sort((a, b) => b.length - a.length);
const roomOf = (file: string) => ROOMS.find((room) => file === room || file.startsWith(`${room}/`));

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((entry) => {
    const path = join(folder, entry);
    return statSync(path).isDirectory() ? files(path) : path.endsWith('.ts') ? [path] : [];
  });
}

const SOURCES = [...files('src'), ...files('rules')];

test('every import is one that its layer allows', () => {
  const broken: string[] = [];
  for (const file of SOURCES) {
    const room = roomOf(file);
    if (!room) {
      broken.push(`${file} stands in no room of the table`);
      continue;
    }
    for (const [, from] of readFileSync(file, 'utf8').matchAll(
      /(?:^|[^.'\w])(?:from|import)\s*\(?\s*'([^']+)'/gm,
    )) {
      const target = from!.startsWith('.')
        ? normalize(join(dirname(file), from!))
        : from!.startsWith('node:')
          ? 'node'
          : 'npm';
      const to = target === 'node' || target === 'npm' ? target : (roomOf(target) ?? target);
      if (to !== room && !MAY[room]!.includes(to) && !MAY[room]!.includes('*'))
        broken.push(`${file} may not import ${from}`);
    }
  }
  expect(broken.join('\n')).toBe('');
});

test('no table of a framework imports another', () => {
  const broken = SOURCES.filter(
    (file) =>
      file.startsWith('src/frameworks/') &&
      !file.endsWith('/index.ts') &&
      / from '\.\/|frameworks\//.test(readFileSync(file, 'utf8').replace(/\/\/.*/g, '')),
  );
  expect(broken.join('\n')).toBe('');
});

/** Rooms within a room, in the order in which each builds on the others. SQL's are recursive, as the language is. */
const FLOORS: Record<string, string[]> = {
  'src/linker': ['definitions', 'names', 'settled', 'variants', 'graph', 'run', 'transactions', 'locks'],
  'src/project': ['files', 'config', 'screen', 'cache', 'findings'],
  'src/frontends/python': [
    'syntax',
    'names',
    'classes',
    'conditions',
    'counts',
    'calls',
    'bodies',
    'conventions',
  ],
  'src/frontends/jvm': ['syntax', 'names', 'texts', 'calls', 'bodies', 'conventions'],
  'src/frontends/ruby': ['syntax', 'names', 'counts', 'steps', 'classes'],
};

test('no room within a room uses what comes after it', () => {
  const broken: string[] = [];
  for (const [room, rooms] of Object.entries(FLOORS)) {
    const home = `${room}/`;
    const floorOf = (file: string) => rooms.indexOf(file.slice(home.length).split('/')[0]!);
    for (const file of SOURCES.filter(
      (file) => file.startsWith(home) && file.slice(home.length).includes('/'),
    )) {
      if (floorOf(file) < 0) broken.push(`${file} stands in no room of ${room}`);
      for (const target of ownImports(file))
        if (target.startsWith(home) && floorOf(target) > floorOf(file))
          broken.push(`${file} may not import ${target}`);
    }
  }
  expect(broken.join('\n')).toBe('');
});

test('every room of the table exists', () => {
  const gone = ROOMS.filter((room) => !statSync(room, { throwIfNoEntry: false }));
  expect(gone.join('\n')).toBe('');
});

/** Where a language is recursive its readers are too: expressions in statements in expressions, SQL in bodies in SQL, what a call gives in what it is called on. */
const RECURSIVE = [
  /^src\/frontends\/(?:sql|plpgsql|pl)\//,
  /^src\/frontends\/(?:java|kotlin|python|ruby)\/syntax\//,
  /^src\/frontends\/python\/names\/(?:values|results|annotations|aliases|links|addresses)\.ts$/,
  /^src\/frontends\/ruby\/steps\/(?:body|calls|callables|blocks|kernel)\.ts$/,
];

test('no file imports itself by way of others, but where a language is recursive', () => {
  const imports = new Map(SOURCES.map((file) => [file, ownImports(file)]));
  const among = (file: string) => RECURSIVE.findIndex((pattern) => pattern.test(file.replaceAll('\\', '/')));
  const broken: string[] = [];
  for (const start of SOURCES) {
    // A way through another room, or another language, is none of a language's own.
    const seen = new Map<string, string>();
    const left = [start];
    for (let file = left.pop(); file !== undefined; file = left.pop())
      for (const next of imports.get(file) ?? []) {
        if (
          seen.has(next) ||
          (among(start) >= 0 && among(file) === among(start) && among(next) === among(start))
        )
          continue;
        seen.set(next, file);
        left.push(next);
      }
    if (seen.has(start)) broken.push(`${start} is imported by ${seen.get(start)}, which it imports`);
  }
  expect(broken.join('\n')).toBe('');
});

/** What a file needs to be understood, so types as well. */
function ownImports(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/^(?:import|export)\s[^'";]*?from\s*'(\.[^']+)'/gm);
  return [...found].map(([, from]) => normalize(join(dirname(file), from!)));
}

test('the linker and the rules name no language and no framework', () => {
  const names = /\b(django|rails|activerecord|sqlalchemy|spring|hibernate|tree.?sitter|psycopg)\b/i;
  const broken = files('src/linker').filter((file) => names.test(readFileSync(file, 'utf8')));
  expect(broken.join('\n')).toBe('');
});

test('grammar node names appear only in front ends', () => {
  // Words with an underscore that only a syntax tree has; a rule that names one knows too much.
  const nodes =
    /'(?:function_definition|method_declaration|call_expression|method_invocation|decorated_definition|keyword_argument|with_statement|class_declaration|do_block|argument_list)'/;
  const broken = SOURCES.filter(
    (file) => !file.startsWith(join('src', 'frontends')) && nodes.test(readFileSync(file, 'utf8')),
  );
  expect(broken.join('\n')).toBe('');
});
