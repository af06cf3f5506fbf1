import { readFileSync } from 'node:fs';
import { until } from '../support/until.ts';

export type Service = 'temporal' | 'postgres';

/** Kills one of the stand's own services, which the stand starts again; waits until it has. */
export async function killService(part: Service): Promise<void> {
  const pid = pidOf(part);
  // Never a number in its place: -1 would stand for every process of this user.
  if (pid === undefined) throw new Error(`${part} is not the stand's own: it is not killed`);
  process.kill(pid, 'SIGKILL');
  await until({ what: `${part} runs again`, withinMs: 60_000 }, () => {
    const now = pidOf(part);
    return now !== undefined && now !== pid;
  });
}

/** Undefined while a part is being started again, and when the stand did not start it. */
function pidOf(part: Service): number | undefined {
  const file = process.env['STAND_FILE'];
  if (file === undefined) throw new Error('STAND_FILE is not set: run with "npm run faults"');
  const stand = JSON.parse(readFileSync(file, 'utf8')) as {
    parts: Record<string, { pid: number }>;
  };
  return stand.parts[part]?.pid;
}

/** Whether the platform can do all of its work, flows as well. */
export async function isReady(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(2_000) });
    const health = (await response.json()) as { parts: Record<string, { ok: boolean }> };
    return response.status === 200 && health.parts['temporal']?.ok === true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return false;
  }
}
