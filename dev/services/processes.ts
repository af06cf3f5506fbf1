import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Whom a process runs as, when not as ourselves. */
export interface UnixUser {
  name: string;
  uid: number;
  gid: number;
}

/** Under whose name a process runs; only root may choose. */
export interface UnixUser {
  name: string;
  uid: number;
  gid: number;
}

/** A process is known by its pid and when it began: pids are used again, such pairs are not. */
export interface ProcessIdentity {
  pid: number;
  begun: string;
}

export interface Daemon extends ProcessIdentity {
  /** Resolves when the process ends, with how it ended in words. Never rejects. */
  exited: Promise<string>;
  hasExited(): boolean;
}

export interface DaemonOptions {
  command: string;
  args: readonly string[];
  cwd: string;
  logFile: string;
  env?: NodeJS.ProcessEnv;
  /** Only root may set it. */
  user?: UnixUser | undefined;
}

/**
 * Starts a process in a group of its own, so that Ctrl-C in the terminal reaches the stand alone,
 * which then ends its parts in order.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const log = openSync(options.logFile, 'a');
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    detached: true,
    stdio: ['ignore', log, log],
    env: options.env ?? process.env,
    ...(options.user ? { uid: options.user.uid, gid: options.user.gid } : {}),
  });
  closeSync(log);
  let ended = false;
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      ended = true;
      resolve(signal === null ? `exit code ${code}` : `signal ${signal}`);
    });
  });
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Error(`cannot run ${options.command}`, { cause: error })),
    );
    child.once('spawn', () => resolve(child.pid ?? 0));
  });
  return { pid, begun: processBegun(pid) ?? '', exited, hasExited: () => ended };
}

/** When the process with this pid began; undefined when there is none (a zombie counts as none). */
export function processBegun(pid: number): string | undefined {
  if (existsSync('/proc/self/stat')) return begunFromProc(pid);
  const { stdout, status } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  const text = stdout.trim();
  return status !== 0 || text === '' || text.startsWith('Z')
    ? undefined
    : text.replace(/^\S+\s+/, '');
}

function begunFromProc(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT') || isErrno(error, 'ESRCH')) return undefined;
    throw error;
  }
  // The name is in brackets and may hold spaces; state and start time come after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

export function isRunning(identity: ProcessIdentity): boolean {
  return processBegun(identity.pid) === identity.begun;
}

export interface EndStep {
  signal: NodeJS.Signals;
  waitMs: number;
}

/** Signals one process, in steps, until it is gone. Another process with the same pid is left alone. */
export async function endProcess(
  identity: ProcessIdentity,
  steps: readonly EndStep[] = [
    { signal: 'SIGTERM', waitMs: 10_000 },
    { signal: 'SIGKILL', waitMs: 5_000 },
  ],
): Promise<void> {
  for (const { signal, waitMs } of steps) {
    if (!isRunning(identity)) return;
    try {
      process.kill(identity.pid, signal);
    } catch (error) {
      if (!isErrno(error, 'ESRCH')) throw error;
    }
    const deadline = Date.now() + waitMs;
    while (isRunning(identity) && Date.now() < deadline) await delay(25);
  }
  if (isRunning(identity)) throw new Error(`process ${identity.pid} does not end`);
}

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command to its end. A command that cannot be run at all has code 127. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: {
    cwd?: string;
    env?: NodeJS.ProcessEnv;
    user?: UnixUser | undefined;
    timeoutMs?: number;
    /** Ends the command when aborted. */
    signal?: AbortSignal;
  } = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: options.env ?? process.env,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.user ? { uid: options.user.uid, gid: options.user.gid } : {}),
      ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.once('error', (error) => resolve({ code: 127, stdout: '', stderr: error.message }));
    child.once('close', (code) =>
      resolve({
        code: code ?? 1,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
      }),
    );
  });
}

/** By its shape: errors of Node come from another realm where tests run in one of their own. */
export function isErrno(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

/** The last lines of a log, for a message; empty when there is none. */
export function logTail(file: string, lines = 15): string {
  if (!existsSync(file)) return '';
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}
