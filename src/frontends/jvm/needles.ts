// The words without one of which a Java or Kotlin file says nothing that matters by itself. Baked in at build time.
import { frameworks } from '../../frameworks/jvm/index.ts';
import { openingAlone } from '../needles.ts';

export const needles = [...new Set(frameworks.flatMap((table) => table.needles))];

/** Of tests, which nobody else calls. */
export const ofTests = openingAlone(needles, frameworks);
