import v8 from 'node:v8';
import vm from 'node:vm';

/**
 * What is built in slices mostly lives, and what lives the collector copies while nobody is answered: a full young
 * generation of 32 MB takes it 20 ms, a quarter of one 5, and as much in all (docs/decisions/0013).
 */
const COLLECTED_FROM_BYTES = 8 * 1024 * 1024;

const collect = collector();

/** Collects what died young, when there is much of it: true when it did, and it is time for somebody else. */
export function collectYoung(): boolean {
  const young = v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
  if (collect === null || (young?.space_used_size ?? 0) < COLLECTED_FROM_BYTES) return false;
  collect({ type: 'minor' });
  return true;
}

/** V8 shows it to contexts that are made while the flag is set: to this one, and to no other. */
function collector(): NodeJS.GCFunction | null {
  v8.setFlagsFromString('--expose-gc');
  try {
    const found: unknown = vm.runInNewContext('globalThis.gc');
    return isCollector(found) ? found : null;
  } finally {
    if (globalThis.gc === undefined) v8.setFlagsFromString('--no-expose-gc');
  }
}

function isCollector(value: unknown): value is NodeJS.GCFunction {
  return typeof value === 'function';
}
