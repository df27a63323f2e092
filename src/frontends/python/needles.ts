// The words without one of which a Python file says nothing that matters by itself. Baked in at build time.
import { frameworks } from '../../frameworks/python/index.ts';
import { handedOver } from '../settings/entries.ts';

/** Whose methods an object has that is handed over as one of these, no name tells. */
const STRUCTURAL = ['Protocol)', 'Protocol['];

export const needles = [
  ...new Set(frameworks.flatMap((table) => table.needles)),
  ...handedOver,
  ...STRUCTURAL,
];
