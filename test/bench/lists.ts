import { timed } from './timing.ts';

/** Every list of the document, timed with a great many rows of one owner behind it. */
export interface ListBench {
  baseUrl: string;
  rows: number;
  /** Stands for `{id}` in a list below one thing. */
  thingId: number;
  tokens: Record<'advertiser' | 'publisher' | 'admin', string>;
  /** Limits per minute would end the bench. */
  beforeEach: () => Promise<void>;
}

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
}

interface Document {
  paths: Record<
    string,
    {
      get?: {
        parameters: { name: string; in: string }[];
        responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
      };
    }
  >;
  components: { schemas: Record<string, Schema> };
}

const REQUESTS = 20;
const DEEP_PAGE = 500;

export async function measureLists(bench: ListBench): Promise<void> {
  const res = await fetch(`${bench.baseUrl}/openapi.json`);
  const document = (await res.json()) as Document;
  console.log(
    `\nlists with ${bench.rows} rows behind them, ${REQUESTS} requests each, ms\n` +
      `| list | p50 | p95 | page ${DEEP_PAGE} p95 | keyword p95 |\n|---|---|---|---|---|`,
  );
  for (const [path, { get }] of Object.entries(document.paths)) {
    const realm = /^\/api\/(advertiser|publisher|admin)\//.exec(path)?.[1] as
      | keyof ListBench['tokens']
      | undefined;
    if (get === undefined || realm === undefined || !isList(document, get.responses)) continue;
    const names = get.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
    const cell = async (query: string): Promise<[p50: string, p95: string]> => {
      const times = await timeOf(bench, { realm, path, query });
      return times === undefined ? ['-', '-'] : [times.p50Ms.toFixed(1), times.p95Ms.toFixed(1)];
    };
    const first = await cell('');
    const deep = names.includes('page') ? await cell(`page=${DEEP_PAGE}`) : ['', '-'];
    const keyword = names.includes('keyword') ? await cell('keyword=77777') : ['', '-'];
    console.log(`| ${path} | ${first[0]} | ${first[1]} | ${deep[1]} | ${keyword[1]} |`);
  }
}

/** Undefined where the thing that a list hangs below is not there. */
async function timeOf(
  { baseUrl, tokens, thingId, beforeEach }: ListBench,
  { realm, path, query }: { realm: keyof ListBench['tokens']; path: string; query: string },
) {
  await beforeEach();
  const url = `${baseUrl}${path.replace('{id}', String(thingId))}?${query}`;
  const headers = { authorization: `Bearer ${tokens[realm]}` };
  const ask = async (): Promise<number> => {
    const res = await fetch(url, { headers });
    await res.arrayBuffer();
    return res.status;
  };
  const status = await ask();
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`${url}: ${status}`);
  return await timed(REQUESTS, ask);
}

function isList(
  document: Document,
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>,
): boolean {
  const envelope = responses['200']?.content?.['application/json']?.schema;
  const data = envelope?.properties?.['data'];
  const name = data?.$ref?.split('/').at(-1);
  const fields = (name === undefined ? data : document.components.schemas[name])?.properties ?? {};
  return 'items' in fields && 'total' in fields;
}
