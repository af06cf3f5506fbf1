/** What the person at the terminal is told. One line per fact, with the seconds since the start. */
export interface Progress {
  say(text: string): void;
  /**
   * Runs something slow. Tells that it begins (and how long it usually takes), that it still goes
   * on, and when it is done.
   */
  slowly<Result>(what: string, usually: string, run: () => Promise<Result>): Promise<Result>;
  /** Runs what is mostly quick: tells of it only once somebody would wonder, and again while it goes on. */
  whenSlow<Result>(what: string, run: () => Promise<Result>): Promise<Result>;
  elapsedSeconds(): number;
}

const WONDER_MS = 3_000;

const HEARTBEAT_MS = 20_000;

export function createProgress(write: (line: string) => void = printLine): Progress {
  const started = performance.now();
  const elapsedSeconds = () => (performance.now() - started) / 1000;
  const say = (text: string) => write(`[${elapsedSeconds().toFixed(1).padStart(6)} s] ${text}`);
  return {
    say,
    elapsedSeconds,
    slowly: async (what, usually, run) => {
      const begun = performance.now();
      const seconds = () => Math.round((performance.now() - begun) / 1000);
      say(`${what} (usually ${usually}) …`);
      const heartbeat = setInterval(
        () => say(`… ${what}: ${seconds()} s so far, usually ${usually}`),
        HEARTBEAT_MS,
      );
      try {
        const result = await run();
        say(`${what}: done in ${seconds()} s`);
        return result;
      } finally {
        clearInterval(heartbeat);
      }
    },
    whenSlow: async (what, run) => {
      const begun = performance.now();
      const heartbeat = (): void => {
        say(`${what} (${Math.round((performance.now() - begun) / 1000)} s so far) …`);
        timer = setTimeout(heartbeat, HEARTBEAT_MS);
      };
      let timer = setTimeout(heartbeat, WONDER_MS);
      try {
        return await run();
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Expected trouble of a stand: told in words, without a stack. */
export class StandError extends Error {
  override name = 'StandError';
}
