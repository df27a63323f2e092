// The words without one of which a Java or Kotlin file says nothing that matters by itself. Baked in at build time.
import { frameworks } from '../../frameworks/jvm/index.ts';

export const needles = [...new Set(frameworks.flatMap((table) => table.needles))];
