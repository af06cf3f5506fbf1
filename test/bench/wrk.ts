import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { CORES } from './cpu.ts';
import type { LoadOptions, Seen } from './load.ts';

/**
 * wrk (Debian's package) loads a server at a third of the client's cost of one written in Node, so
 * that the client is not what is measured.
 */
export const hasWrk = (): boolean => spawnSync('wrk', ['-v']).error === undefined;

/** Requests are made before the run; a line of the file is a path and, for a POST, a body. */
const SCRIPT = `
local requests, at = {}, 0
function init(args)
  for line in io.lines(args[1]) do
    local path, body = line:match('^(%S+) ?(.*)$')
    if body == '' then requests[#requests + 1] = wrk.format('GET', path)
    else requests[#requests + 1] = wrk.format('POST', path, nil, body) end
  end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('RESULT %d %d %.1f %.1f %d', summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end`;

export async function runWrk(options: LoadOptions): Promise<Seen> {
  const folder = mkdtempSync(path.join(tmpdir(), 'adplatform-bench-'));
  try {
    const script = path.join(folder, 'load.lua');
    const list = path.join(folder, 'requests');
    writeFileSync(script, SCRIPT);
    const requests = options.requests ?? [{ path: '/' }];
    writeFileSync(list, requests.map(({ path: to, body = '' }) => `${to} ${body}`).join('\n'));
    const headers = { 'Content-Type': 'application/json', ...options.headers };
    const { stdout } = await promisify(execFile)('taskset', [
      '-c',
      CORES.rest,
      'wrk',
      '-t1',
      `-c${options.connections}`,
      `-d${options.seconds}s`,
      '-s',
      script,
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      options.url,
      '--',
      list,
    ]);
    const figures = /RESULT (.*)/.exec(stdout)?.[1]?.split(' ').map(Number);
    if (figures === undefined) throw new Error(`wrk said nothing of its run:\n${stdout}`);
    const [answered = 0, micros = 1, p50 = 0, p99 = 0, failed = 0] = figures;
    return {
      answered,
      seconds: micros / 1_000_000,
      p50Ms: p50 / 1_000,
      p99Ms: p99 / 1_000,
      failed,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
