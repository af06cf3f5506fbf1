/** What one run of schemathesis did, out of its NDJSON report. */
interface Finished {
  ScenarioFinished?: {
    recorder: {
      label: string;
      /** Null of a scenario that the time limit skipped. */
      checks: Record<string, { name: string; status: string }[]> | null;
      interactions: Record<string, { response: { status_code: number } | null }> | null;
    };
  };
}

export interface Figures {
  requests: number;
  /** `METHOD /path`, and the statuses that it answered. */
  operations: Map<string, Set<number>>;
  /** Names of checks that found something, and how often. */
  found: Map<string, number>;
  byStatus: Map<number, number>;
}

export function figuresOf(report: string): Figures {
  const figures: Figures = {
    requests: 0,
    operations: new Map(),
    found: new Map(),
    byStatus: new Map(),
  };
  for (const line of report.split('\n')) {
    if (line === '') continue;
    const { ScenarioFinished: scenario } = JSON.parse(line) as Finished;
    if (scenario !== undefined) addScenario(figures, scenario.recorder);
  }
  return figures;
}

type Recorder = NonNullable<Finished['ScenarioFinished']>['recorder'];

function addScenario(figures: Figures, { label, checks, interactions }: Recorder): void {
  // A scenario that was cut by the time limit has neither, as null or not at all.
  if ((interactions ?? null) === null || (checks ?? null) === null) return;
  const statuses = figures.operations.get(label) ?? new Set();
  figures.operations.set(label, statuses);
  for (const { response } of Object.values(interactions ?? {})) {
    const status = response?.status_code ?? 0;
    figures.requests += 1;
    statuses.add(status);
    figures.byStatus.set(status, (figures.byStatus.get(status) ?? 0) + 1);
  }
  for (const { name, status } of Object.values(checks ?? {}).flat()) {
    if (status !== 'success') figures.found.set(name, (figures.found.get(name) ?? 0) + 1);
  }
}

/** One line of figures, and the operations that never succeeded: requests that met no row. */
export function summaryOf(report: string): string {
  const { requests, operations, found, byStatus } = figuresOf(report);
  const answered = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status}`);
  const never = [...operations]
    .filter(([, statuses]) => ![...statuses].some((status) => status >= 200 && status < 400))
    .map(([label]) => label);
  const findings = [...found].map(([name, count]) => `${name} ${count}`);
  return [
    `${requests} requests to ${operations.size} operations: ${answered.join(', ')}`,
    findings.length === 0 ? 'nothing found' : `found: ${findings.join(', ')}`,
    ...(never.length === 0 ? [] : [`never a success: ${never.join(', ')}`]),
  ].join('; ');
}
