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

test('every import is one that its layer allows', () => {
  const broken: string[] = [];
  for (const file of [...files('src'), ...files('rules')]) {
    const room = roomOf(file);
    if (!room) {
      broken.push(`${file} stands in no room of the table`);
      continue;
    }
    for (const [, from] of readFileSync(file, 'utf8').matchAll(
      /(?:^|[^.\w])(?:from|import)\s*\(?\s*'([^']+)'/gm,
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

test('every room of the table exists', () => {
  const gone = ROOMS.filter(
    (room) =>
      !statSync(room, { throwIfNoEntry: false }) &&
      ![
        'src/lsp.ts',
        'src/worker.ts',
        'src/cli.ts',
        'src/frameworks',
        'src/reporters',
        'src/project',
      ].includes(room),
  );
  expect(gone.join('\n')).toBe('');
});

test('the linker and the rules name no language and no framework', () => {
  const names = /\b(django|rails|activerecord|sqlalchemy|spring|hibernate|tree.?sitter|psycopg)\b/i;
  const broken = files('src/linker').filter((file) => names.test(readFileSync(file, 'utf8')));
  expect(broken.join('\n')).toBe('');
});

test('grammar node names appear only in front ends', () => {
  // Words with an underscore that only a syntax tree has; a rule that names one knows too much.
  const nodes =
    /'(?:function_definition|method_declaration|call_expression|method_invocation|decorated_definition|keyword_argument|with_statement|class_declaration|do_block|argument_list)'/;
  const broken = [...files('src'), ...files('rules')].filter(
    (file) => !file.startsWith(join('src', 'frontends')) && nodes.test(readFileSync(file, 'utf8')),
  );
  expect(broken.join('\n')).toBe('');
});
