/** Writes what serving gathered in memory now and then, one write at a time. */
export interface Flusher {
  /** Ends when what was gathered before the call has been tried. */
  flush: () => Promise<void>;
  stop: () => void;
}

export function createFlusher(gathered: {
  everyMs: number;
  isEmpty: () => boolean;
  /** Keeps for the next time what it could not write; never raises. */
  write: () => Promise<void>;
}): Flusher {
  let running: Promise<void> | undefined;
  const flush = async (): Promise<void> => {
    while (running !== undefined) await running;
    if (gathered.isEmpty()) return;
    running = gathered.write();
    await running;
    running = undefined;
  };
  const timer = setInterval(() => {
    if (running === undefined) void flush();
  }, gathered.everyMs);
  timer.unref();
  return {
    flush,
    stop: () => {
      clearInterval(timer);
    },
  };
}
