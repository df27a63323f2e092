// Which parameter of the function a body hands to SPI as it came: then its caller says what that does. Not what SPI does.
import type { Host } from './host.ts';

/** The parameter's name in SQL, or its place, `$1`; undefined where it is something else or was changed before. */
export function parameterOf(
  h: Host,
  language: 'python' | 'perl' | 'javascript',
  written: string,
): string | undefined {
  if (!h.scope.given) return undefined;
  const body = h.source.text;
  const found = language === 'perl' ? ofPerl(body, written) : ofNames(body, written, language);
  return found === undefined ? undefined : h.scope.given(found);
}

/** PL/Python and PL/v8 call them as SQL does. */
function ofNames(body: string, written: string, language: 'python' | 'javascript'): string | undefined {
  const place = /^args\[(\d+)\]$/.exec(written);
  if (place && language === 'python') return `$${Number(place[1]) + 1}`;
  if (!/^[a-z_]\w*$/.test(written)) return undefined;
  return isSet(body, `\\b${written}`) ? undefined : written;
}

/** `$_[0]`; `my ($a, $b) = @_;`; `my $a = shift;`, the next one; `my $a = $_[0];`. */
function ofPerl(body: string, written: string): string | undefined {
  const at = /^\$_\[(\d+)\]$/.exec(written);
  if (at) return `$${Number(at[1]) + 1}`;
  if (!/^\$[a-z_]\w*$/i.test(written)) return undefined;
  const name = `\\${written}`;
  const list =
    /\bmy\s*\(([^)]*)\)\s*=\s*@_/
      .exec(body)?.[1]
      ?.split(',')
      .map((one) => one.trim()) ?? [];
  const rest = body.replace(/\bmy\s*\([^)]*\)\s*=\s*@_/, '');
  if (list.includes(written)) return isSet(rest, name) ? undefined : `$${list.indexOf(written) + 1}`;
  const own = new RegExp(
    `\\bmy\\s+${name}\\s*=\\s*(shift\\b(?:\\s*\\(?\\s*@_\\s*\\)?)?|\\$_\\[(\\d+)\\])\\s*;`,
  ).exec(body);
  if (!own || isSet(body.replace(own[0], ''), name)) return undefined;
  if (own[2] !== undefined) return `$${Number(own[2]) + 1}`;
  return `$${(body.slice(0, own.index).match(/\bshift\b/g) ?? []).length + 1}`;
}

/** Anywhere: whether before or after is not asked. */
const isSet = (body: string, name: string): boolean =>
  new RegExp(`${name}\\s*(?:[-+*/%|&.]|\\|\\||//)?=(?![=~])|\\bfor(?:each)?\\b[^:;{]*${name}\\b`).test(body);
