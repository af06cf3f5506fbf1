import { json } from 'node:stream/consumers';
import { createMoneyWorld, done, type MoneyWorld, ordered, received } from './money-requests.ts';
import { type Listener, startListener } from '../support/listener.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { eventually, until } from '../support/until.ts';

/** One trace from a request to the SQL of the steps that it led to, as a collector of OpenTelemetry sees it. */
interface Value {
  stringValue?: string;
  intValue?: number | string;
}
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Value }[];
}
interface Sent {
  resourceSpans: {
    resource: { attributes: { key: string; value: Value }[] };
    scopeSpans: { spans: Span[] }[];
  }[];
}

let collector: Listener;
let platform: Platform;
let world: MoneyWorld;
const spans: (Span & { service: string })[] = [];
const sent: string[] = [];

beforeAll(async () => {
  collector = await startListener((req, res) => {
    void json(req).then((body) => {
      sent.push(`${req.url} ${JSON.stringify(body)}`);
      for (const { resource, scopeSpans } of (body as Sent).resourceSpans) {
        const named = resource.attributes.find(({ key }) => key === 'service.name');
        const service = named?.value.stringValue ?? '';
        spans.push(
          ...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service }))),
        );
      }
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  platform = await startPlatform({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '200',
  });
  world = await createMoneyWorld(platform);
}, 240_000);
afterAll(async () => {
  await platform?.close();
  await collector?.close();
}, 60_000);

/** From a span to the first of its trace, by name. */
function wayUp(span: Span): string[] {
  const parent = spans.find(
    ({ traceId, spanId }) => traceId === span.traceId && spanId === span.parentSpanId,
  );
  return parent === undefined ? [span.name] : [span.name, ...wayUp(parent)];
}

/** Until there is such a way; what there is else is told. */
const expectWay = async (...names: readonly string[]): Promise<void> => {
  await eventually({ withinMs: 120_000 }, () => {
    const ways = [...new Set(spans.map((span) => wayUp(span).join(' < ')))];
    expect(`\n${ways.join('\n')}\n`).toContain(`\n${names.join(' < ')}\n`);
  });
};

test('an order, its money and a decision · each request to the SQL of its steps · one trace each, without a sum or a name', async () => {
  const order = await ordered(world);
  await expectWay(
    'SELECT deposits',
    'step readDeposit',
    'workflow_start depositWorkflow',
    'POST /api/advertiser/deposits/',
  );
  await received(world, order, 1);
  const taskId = await until('a task', async () => {
    const { rows } = await platform.pool.query<{ id: string }>(
      `SELECT id FROM tasks WHERE subject_type = 'deposit' AND subject_id = $1 AND status = 'open'`,
      [order.id],
    );
    return rows[0] === undefined ? undefined : Number(rows[0].id);
  });
  const token = world.decider;
  await done(world, `/api/admin/tasks/${taskId}/decision`, {
    token,
    body: { decision: 'approve' },
  });
  await expectWay(
    'UPDATE task_decisions',
    'step applyDepositDecision',
    'workflow_update decide',
    'POST /api/admin/tasks/:id/decision',
  );
  expect(new Set(spans.map(({ service }) => service))).toEqual(
    new Set(['adplatform-api', 'adplatform-worker']),
  );

  // No sum, no person, no statement and no address with an id or a token in it.
  expect(sent.every((each) => each.startsWith('/v1/traces '))).toBe(true);
  const told = sent.join('\n');
  expect(told).not.toMatch(/@|RECEIVED-|\$1|nanos|WHERE/i);
  const keys = new Set(spans.flatMap(({ attributes }) => attributes.map(({ key }) => key)));
  const allowed = [
    'db.collection.name',
    'db.operation.name',
    'db.system.name',
    'http.request.method',
    'http.response.status_code',
    'http.route',
    'temporal.activity.attempt',
    'temporal.activity.type',
    'temporal.workflow.id',
    'temporal.workflow.type',
    // Of a step that was tried again: the name of the error.
    'error.type',
  ];
  expect([...keys].filter((key) => !allowed.includes(key))).toEqual([]);
  // Loops and schedules are nobody's request: they make no trace of their own.
  const roots = spans
    .filter(({ parentSpanId = '' }) => parentSpanId === '')
    .map(({ name }) => name);
  expect(
    roots.filter((name) => !/^(?:GET|POST|PUT|HEAD|OPTIONS|DELETE|PATCH) /.test(name)),
  ).toEqual([]);
}, 300_000);
