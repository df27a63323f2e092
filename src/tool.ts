// What this program calls itself: its name, version and address. The only constants that the build bakes in.
import manifest from '../package.json' with { type: 'json' };

declare const __SUBXACT_TOOL__: string | undefined;

export const tool = {
  name: manifest.name,
  version: manifest.version,
  homepage: manifest.homepage,
  /** A hash of the program itself; empty when it runs from source, where nothing is cached. */
  hash: typeof __SUBXACT_TOOL__ === 'string' ? __SUBXACT_TOOL__ : '',
};

/** The page of a rule: all links are made from package.json's homepage. */
export const rulePage = (id: string) => `${manifest.homepage}/blob/main/rules/${id}/rule.md`;
