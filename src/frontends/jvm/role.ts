// What a file of Java or Kotlin is there for, by its path as Maven and Gradle lay it out: the product, its tests, an example.
import type { Unit } from '../../ir.ts';

export function roleOf(path: string): Unit['role'] {
  const parts = path.split('/');
  const base = parts.pop() ?? '';
  if (
    parts.some((part) => /^(test|tests|testFixtures|integration-?test|it|androidTest|jmh)$|Test$/i.test(part))
  )
    return 'test';
  if (/^(Test[A-Z].*|.*(Tests?|IT|TestCase|Spec))\.\w+$/.test(base)) return 'test';
  if (parts.some((part) => /^(examples?|samples?|demo)$/i.test(part))) return 'example';
  return 'product';
}
