import { SpanKind, trace } from '@opentelemetry/api';
import { TABLES } from './tables/index.ts';

const tracer = trace.getTracer('adplatform.sql');
const NAMES: ReadonlySet<string> = new Set(Object.values(TABLES).map(({ name }) => name));
const SAID = /^Executed \([^)]*\): \s*(\w+)/;
const INNER = /\([^()]*\)/g;
const TABLE = /\b(?:from|into|update|join)\s+"?([a-z_]+)/gi;

/**
 * A statement that has ended, as Sequelize tells of it, is a span of whatever request or step asked for it.
 * Its verb and the table that it is about are told, and never its text, which may have values in it.
 */
export function spanOfQuery(said: string, milliseconds: unknown): void {
  if (trace.getActiveSpan()?.isRecording() !== true) return;
  const verb = SAID.exec(said)?.[1]?.toUpperCase() ?? 'SQL';
  const table = [...outerOf(said).matchAll(TABLE)]
    .map(([, name = '']) => name)
    .find((name) => NAMES.has(name));
  const endedAt = Date.now();
  const startTime = endedAt - (typeof milliseconds === 'number' ? milliseconds : 0);
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': verb,
    ...(table === undefined ? {} : { 'db.collection.name': table }),
  };
  const name = table === undefined ? verb : `${verb} ${table}`;
  tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime, attributes }).end(endedAt);
}

/** Without what stands in brackets: a column may be a query of its own. */
function outerOf(said: string): string {
  for (let text = said; ;) {
    const shorter = text.replaceAll(INNER, '');
    if (shorter === text) return text;
    text = shorter;
  }
}
