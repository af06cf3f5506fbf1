import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSheet } from 'read-excel-file/node';
import { reportBytes } from '../../../activities/reports/report-file.ts';
import type { ExportFormat } from '../../../domain/report-text.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { pause, until } from '../../support/until.ts';
import { reportRow, reportRows } from '../../support/report-rows.ts';

/** Exports as other people's programs read them: openpyxl (Python) and read-excel-file (Node). */
const NAMES = ['=1+1', '+1', '@SUM(A1)', '-2', '007', '2026-11-01', 'a <b> & "c"', '活动 🎯', ''];

const rowsOf = (): ReportRow[] =>
  NAMES.map((name, at) => reportRow(at, { name, date: at === 0 ? '2024-02-29' : '2026-11-01' }));

/** Judged beyond the last day; conversions still wait, so that no line is final. */
const STATE = {
  timezone: 'UTC',
  settledAt: new Date('2026-11-02T10:00:00Z'),
  endsAt: new Date('2026-11-02T00:00:00Z'),
};

async function written(format: ExportFormat, rows: ReportRow[]): Promise<Buffer> {
  async function* batches(): AsyncGenerator<ReportRow[]> {
    yield* [rows.slice(0, 2), rows.slice(2)];
  }
  const parts: Uint8Array[] = [];
  for await (const part of reportBytes({
    format,
    side: 'advertiser',
    groupBy: ['date', 'campaign'],
    state: STATE,
    batches: batches(),
  })) {
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const HEAD = [
  'date',
  'campaign_id',
  'campaign_name',
  'requests',
  'impressions',
  'viewable',
  'views',
  'clicks',
  'conversions',
  'removed',
  'spend',
  'ctr',
  'cvr',
  'ecpm',
  'pending_conversions',
  'approved_conversions',
  'rejected_conversions',
  'pending_spend',
  'approved_spend',
  'rejected_spend',
  'timezone',
  'as_of',
  'is_final',
];

interface PythonCell {
  /** The name of the Python type. */
  type: string;
  value: string | number | null;
  /** `n` number or date, `s` and `inlineStr` text, `f` formula. */
  kind: string;
  format: string;
}

const READ_WITH_OPENPYXL = `
import json, sys, openpyxl
sheets = openpyxl.load_workbook(sys.argv[1]).worksheets
told = lambda cell: {
  'type': type(cell.value).__name__, 'kind': cell.data_type, 'format': cell.number_format,
  'value': cell.value.isoformat() if hasattr(cell.value, 'isoformat') else cell.value,
}
print(json.dumps([[[told(cell) for cell in row] for row in sheet.iter_rows()] for sheet in sheets]))
`;

function readWithOpenpyxl(workbook: Buffer): PythonCell[][][] {
  const folder = process.env['OPENPYXL_PATH'] ?? '';
  if (folder === '') {
    throw new Error(
      'Python with openpyxl is missing: "npm test" brings it and says why it could not',
    );
  }
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'adplatform-workbook-')), 'report.xlsx');
  writeFileSync(file, workbook);
  const env = { ...process.env, PYTHONPATH: folder };
  const output = execFileSync('python3', ['-c', READ_WITH_OPENPYXL, file], { env });
  return JSON.parse(output.toString()) as PythonCell[][][];
}

test('xlsx · read by openpyxl · days are dates, figures numbers, names text and never formulas', async () => {
  const [sheet, ...others] = readWithOpenpyxl(await written('xlsx', rowsOf()));
  const [head, ...rows] = sheet ?? [];
  expect(others).toEqual([]);
  expect(head?.map(({ value }) => value)).toEqual(HEAD);
  expect(rows.map(([date]) => date)).toEqual(
    rowsOf().map(({ keys }) => ({
      type: 'datetime',
      kind: 'd',
      format: 'yyyy-mm-dd',
      value: `${keys.date}T00:00:00`,
    })),
  );
  expect(rows.map((row) => row[2])).toEqual(
    NAMES.map((value) => ({
      type: 'str',
      kind: expect.stringMatching(/^(s|inlineStr)$/),
      format: '@',
      value,
    })),
  );
  expect(rows[1]?.slice(3).map(({ type, value }) => [type, value])).toEqual([
    ['NoneType', null],
    ['int', 1_000],
    ['int', 500],
    ['int', 0],
    ['int', 1],
    ['int', 0],
    ['int', 0],
    ['float', 1.234568],
    ['float', 0.001],
    ['int', 0],
    ['float', 1.234568],
    ['int', 2],
    ['int', 1],
    ['int', 3],
    ['float', 2.5],
    ['int', 1],
    ['float', 3.75],
    ['str', 'UTC'],
    ['str', '2026-11-02T10:00:00.000Z'],
    ['bool', false],
  ]);
});

test('xlsx · read by a library of Node · the same types and values', async () => {
  const [head, ...rows] = await readSheet(await written('xlsx', rowsOf()));
  expect(head).toEqual(HEAD);
  expect(rows.map(([date]) => date)).toEqual(rowsOf().map(({ keys }) => new Date(keys.date ?? '')));
  expect(rows.map((row) => row[2])).toEqual(NAMES.map((name) => (name === '' ? null : name)));
  expect(rows[1]?.slice(3, 20)).toEqual([
    null,
    1_000,
    500,
    0,
    1,
    0,
    0,
    1.234568,
    0.001,
    0,
    1.234568,
    2,
    1,
    3,
    2.5,
    1,
    3.75,
  ]);
  expect(rows[1]?.slice(20)).toEqual(['UTC', '2026-11-02T10:00:00.000Z', false]);
});

test('xlsx · names with characters that XML has no place for · still a workbook', async () => {
  const names = ['nonchar\ufffe\uffff', 'half \ud83d pair', 'line\nbreak', ' space '];
  const workbook = await written(
    'xlsx',
    names.map((name, at) => reportRow(at, { name })),
  );
  const [sheet] = readWithOpenpyxl(workbook);
  expect(sheet?.slice(1).map((row) => row[2]?.value)).toEqual([
    'nonchar\ufffd\ufffd',
    'half \ufffd pair',
    'line\nbreak',
    ' space ',
  ]);
});

test('csv · any report · begins with the mark of UTF-8, then its head', async () => {
  const csv = await written('csv', rowsOf());
  expect([...csv.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(csv.toString('utf8', 3).split('\r\n')[0]).toBe(HEAD.join(','));
  expect((await written('csv', [])).toString('utf8', 3)).toBe(`${HEAD.join(',')}\r\n`);
  expect((await written('jsonl', rowsOf())).subarray(0, 1).toString()).toBe('{');
});

test('xlsx · a reader that takes one piece and waits · only some rows are asked for, and the source is left', async () => {
  let asked = 0;
  let left = false;
  async function* source(): AsyncGenerator<ReportRow[]> {
    try {
      yield* reportRows(200_000, (rows) => {
        asked = rows;
      });
    } finally {
      left = true;
    }
  }
  const bytes = reportBytes({
    format: 'xlsx',
    side: 'advertiser',
    groupBy: ['date', 'campaign'],
    state: STATE,
    batches: source(),
  })[Symbol.asyncIterator]();
  await bytes.next();
  await pause(300, 'a writer that runs ahead would read on');
  expect(asked).toBeLessThan(20_000);
  await bytes.return?.();
  await until('the source is left', () => left);
});

test('xlsx · ten times as many rows · take no more memory', () => {
  const script = path.join(process.cwd(), 'test/support/report-memory.ts');
  // A small heap, so that what can be collected is; 100,000 rows are 43 MB of XML.
  const options = ['--max-old-space-size=64', '--max-semi-space-size=2', '--import', 'tsx'];
  const output = execFileSync(process.execPath, [...options, script, '10000', '100000']);
  const [small = 0, large = Infinity] = output.toString().trim().split('\n').map(Number);
  expect((large - small) / 1_024).toBeLessThan(24);
});
