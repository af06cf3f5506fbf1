import { randomInt } from 'node:crypto';
import net from 'node:net';
import { StandError } from './progress.ts';

export interface PortChooser {
  /**
   * What the environment says (and then it must be free), else the one used last time, else the
   * usual one, else any free one. No port is given out twice.
   */
  choose(options: {
    variable: string;
    last: number | undefined;
    usual?: number | undefined;
  }): Promise<number>;
}

export function createPortChooser(env: NodeJS.ProcessEnv): PortChooser {
  const given = new Set<number>();
  const give = (port: number) => {
    given.add(port);
    return port;
  };
  return {
    choose: async ({ variable, last, usual }) => {
      const fixed = env[variable];
      if (fixed !== undefined && fixed !== '') return give(await fixedPort(variable, fixed));
      for (const port of [last, usual]) {
        if (port !== undefined && !given.has(port) && (await isFree(port))) return give(port);
      }
      for (;;) {
        const port = await freePort();
        if (!given.has(port)) return give(port);
      }
    },
  };
}

async function fixedPort(variable: string, text: string): Promise<number> {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StandError(`${variable}="${text}" is not a port.`);
  }
  if (!(await isFree(port))) {
    throw new StandError(
      `Port ${port} (${variable}) is in use; end what uses it, or unset ${variable}.`,
    );
  }
  return port;
}

const FREE_FROM = 20_000;
const FREE_BELOW = 32_000;
const PARTS = 4;
const DRAWS_MAX = 100;
/** Nobody listens on them yet, and the next draw would find them free. */
const drawn = new Set<number>();

/**
 * A free port, drawn below those that systems give to outgoing connections (Linux from 32,768 on):
 * one of theirs may be some connection's by the time that a program listens on it.
 */
export async function freePort(): Promise<number> {
  // Seconds go by until a program listens: Jest's workers, which draw at the same time, draw from parts of their own.
  const part = Math.floor((FREE_BELOW - FREE_FROM) / PARTS);
  const from = FREE_FROM + (Number(process.env['JEST_WORKER_ID'] ?? '0') % PARTS) * part;
  for (let draw = 1; draw <= DRAWS_MAX; draw += 1) {
    const port = randomInt(from, from + part);
    if (drawn.has(port) || !(await isFree(port))) continue;
    drawn.add(port);
    return port;
  }
  throw new StandError(`No port between ${from} and ${from + part} is free.`);
}

/** Free on the loopback address and on all addresses together. */
export async function isFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, undefined));
}

function canListen(port: number, host: string | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      server.close(() => resolve(true));
    });
  });
}
