// Settings of the PostgreSQL driver that Java and Kotlin code sets: in connection URLs and in calls.
import type { Setting } from '../../ir.ts';
import { word } from './meaning.ts';
import type { Call, Node } from './syntax.ts';
import { type Constants, textOf } from './text.ts';
import { autosaveSetting, urlSettings } from './url.ts';

export function textSettings(node: Node, constants: Constants): Setting[] {
  const source = textOf(node, constants);
  return source?.text.includes('jdbc:') ? urlSettings(source) : [];
}

const SETTERS =
  /^(set|put|setProperty|putIfAbsent|add|addProperty|addDataSourceProperty|addConnectionProperty|to|of|property|set\w*Property)$/;

/** `props.setProperty("autosave", "always")`, `source.setAutosave(AutoSave.ALWAYS)`, `PGProperty.AUTOSAVE.set(props, "always")`. */
export function callSetting(node: Call, constants: Constants): Setting | null {
  const said = (index: number) => {
    const value = node.arguments[index]?.value;
    if (!value) return null;
    const inner = value.kind === 'call' && value.name === 'value' && value.object ? value.object : value;
    return textOf(inner, constants)?.text ?? word(inner);
  };
  if (Object.hasOwn(NESTING, node.name)) return nesting(node, said(0));
  if (node.name === 'setAutosave') return autosave(node, said(0));
  if (!SETTERS.test(node.name) || node.arguments.length < 1) return null;
  const { object } = node;
  if (object?.kind === 'member' && object.name === 'AUTOSAVE') return autosave(node, said(1));
  if (
    said(0) === 'autosave' ||
    (node.arguments[0]!.value.kind === 'call' && /AUTOSAVE/.test(propertyName(node.arguments[0]!.value)))
  )
    return autosave(node, said(1));
  if (said(0) === 'hibernate.connection.autosave') return autosave(node, said(1));
  return null;
}

/** What decides about nested transactions, as it is called: the tool, and what it says. */
const NESTING: Record<string, { of: string; value?: string }> = {
  JpaTransactionManager: { of: 'spring', value: 'false' },
  HibernateTransactionManager: { of: 'spring', value: 'false' },
  DataSourceTransactionManager: { of: 'spring', value: 'true' },
  JdbcTransactionManager: { of: 'spring', value: 'true' },
  setUseNestedTransactions: { of: 'exposed' },
  setNestedUseSavepoint: { of: 'ebean', value: 'true' },
};

function nesting({ at, name }: Call, said: string | null): Setting {
  const { of, value } = NESTING[name]!;
  const key = name === 'setUseNestedTransactions' ? 'useNestedTransactions' : name;
  return { at, key, value: value ?? said ?? 'true', effect: 'nested transactions open savepoints', of };
}

/** `PGProperty.AUTOSAVE.getName()` */
function propertyName(value: Call): string {
  return value.name === 'getName' && value.object?.kind === 'member' ? value.object.name : '';
}

function autosave({ at }: Call, value: string | null): Setting | null {
  return value === null ? null : autosaveSetting(at, value, false);
}
