// The words without one of which a Ruby file opens, locks, writes and declares nothing that matters by itself.
import { frameworks } from '../../frameworks/ruby/index.ts';
import { openingAlone } from '../needles.ts';
import { handedOver } from '../settings/entries.ts';

export const needles = [...new Set(frameworks.flatMap((table) => table.needles)), ...handedOver];

/** Of tests, which nobody else calls. */
export const ofTests = openingAlone(needles, frameworks);
