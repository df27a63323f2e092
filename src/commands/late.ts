// What V8 is told before anything runs that is over in seconds; a language server, which lives on, keeps V8's own ways.

/**
 * A run is over before V8's optimising compiler has paid for itself: it takes half of the processor's time for code
 * that runs for seconds. Twenty times later it sees only what is really hot (bench/README.md). V8 complains of flags
 * that it does not know, so each version that was measured has its own.
 */
const LATER = ['--invocation-count-for-turbofan=60000', '--invocation-count-for-osr=16000'];
const OPTIMISE_LATE: Record<string, string[]> = { 11: ['--interrupt-budget=1500000'], 12: LATER, 13: LATER };

/** What is made where much lived long is not put among the old at once: of syntax trees each dead one keeps the next one there. */
const ALL_YOUNG = '--no-allocation-site-pretenuring';

export function lateFlags(): string[] {
  const [major = ''] = process.versions.v8.split('.');
  const flags = OPTIMISE_LATE[major];
  return flags ? [...flags, ALL_YOUNG] : [];
}
