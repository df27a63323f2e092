// On which connections a request runs in a transaction, as the settings say of the program that a file belongs to. Not which routines are requests.
import type { PlacedSetting } from '../model.ts';

/** By their names; undefined is the default connection. */
export type Connections = readonly (string | undefined)[];

const NONE: Connections = [];

/** Of several programs of a repository the one counts whose settings are nearest above a file; where none is, all do. */
export function requesting(settings: PlacedSetting[]): (file: string) => Connections {
  const product = settings.filter(({ role }) => role === 'product');
  const said = product.filter(({ effect }) => effect === 'requests run in a transaction');
  if (said.length === 0) return () => NONE;
  const programs = new Map<string, Connections>();
  for (const { below } of product) if (below !== undefined) programs.set(below, NONE);
  for (const below of programs.keys())
    programs.set(below, connectionsOf(said.filter((one) => one.below === below)));
  const all = connectionsOf(said);
  const nearest = (folder: string): Connections =>
    programs.get(folder) ?? (folder === '' ? all : nearest(folder.replace(/[^/]*\/$/, '')));
  return (file) => nearest(file.replace(/[^/]*$/, ''));
}

const connectionsOf = (settings: PlacedSetting[]): Connections => [...new Set(settings.map(({ on }) => on))];
