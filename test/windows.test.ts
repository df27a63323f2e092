// Paths as Windows has them, in the functions that ask where one folder stands in another; nothing is read from disk.
import { expect, test, vi } from 'vitest';

vi.mock('node:path', async () => {
  const { win32 } = await vi.importActual<typeof import('node:path')>('node:path');
  return { ...win32, default: win32 };
});
const { baseOf, isBelow } = await import('../src/project/config/settle.ts');
const { shown } = await import('../src/commands/program.ts');

const found = (folder: string) =>
  ({ config: {}, file: null, folder }) as unknown as Parameters<typeof baseOf>[0];

test.each([
  ['C:\\repo', 'C:\\repo', ''],
  ['C:\\repo', 'C:\\repo\\services\\orders', 'services/orders'],
  ['C:\\repo', 'c:\\Repo\\Services', 'Services'],
  ['C:\\repo', 'C:\\', ''],
  ['C:\\repo', 'D:\\repo\\services', ''],
  ['C:\\repo', '\\\\server\\share\\x', ''],
  ['C:\\repo', 'C:\\repo\\..dots', '..dots'],
])('globs of a configuration, repository %s, folder %s', (root, folder, base) =>
  expect(baseOf(found(folder), root)).toBe(base),
);

test('what stands below a folder', () => {
  expect(isBelow('C:\\repo', 'C:\\repo')).toBe(true);
  expect(isBelow('C:\\repo', 'C:\\repo\\a')).toBe(true);
  expect(isBelow('C:\\repo', 'C:\\repository')).toBe(false);
  expect(isBelow('C:\\repo', 'D:\\repo')).toBe(false);
});

test('a file is shown as the user would name it, and in full on another drive', () => {
  const file = 'db/a.sql';
  expect(shown('C:\\repo', 'C:\\repo').display(file)).toBe('db\\a.sql');
  expect(shown('C:\\repo', 'C:\\repo\\db').display(file)).toBe('a.sql');
  expect(shown('C:\\repo', 'D:\\').display(file)).toBe('C:\\repo\\db\\a.sql');
});
