import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sqlName, type Table } from '../../../db/schema/table.ts';
import { ADGROUP_FIELDS, adGroups } from '../../../db/tables/ad-group.ts';
import { AD_FIELDS, ads } from '../../../db/tables/ad.ts';
import { CAMPAIGN_FIELDS, campaigns } from '../../../db/tables/campaign.ts';
import { CREATIVE_CONTENT, creativeRevisions } from '../../../db/tables/creative-revision.ts';
import { TRACKER_FIELDS, trackers } from '../../../db/tables/tracker.ts';
import {
  AD_TYPES,
  CREATIVE_TYPES,
  DISPLAY_TYPES,
  ROTATION_MODES,
} from '../../../domain/inventory.ts';
import { COUNT_MODES, TRACKER_EVENT_TYPES, TRACKER_TYPES } from '../../../domain/tracker.ts';
import { historyFieldsInEnglish } from '../../../web/console/texts/history-fields.ts';

/** As a change names them. */
const wireNames = (table: Table, names: readonly string[]): string[] =>
  names.map((name) => sqlName(table, name).replace(/_nanos$/, ''));

/** Written beside what somebody gave, and in no history. */
const UNTOLD = new Set(['bid_follows_price']);
/** Of targeting, which has its words in a file of its own. */
const TARGETING = readFileSync('web/console/texts/targeting.ts', 'utf8');
const hasWords = (field: string): boolean =>
  Object.hasOwn(historyFieldsInEnglish, field) || TARGETING.includes(`      ${field}: '`);

test.each<[string, Table, readonly string[]]>([
  ['a campaign', campaigns, CAMPAIGN_FIELDS],
  ['an ad group', adGroups, ADGROUP_FIELDS],
  ['an ad', ads, AD_FIELDS],
  ['a creative', creativeRevisions, CREATIVE_CONTENT],
  ['a tracker', trackers, TRACKER_FIELDS],
])('the history · of each field of %s · has words', (_what, table, names) => {
  const fields = wireNames(table, names).filter((field) => !UNTOLD.has(field));
  expect(fields.length).toBeGreaterThan(5);
  expect(fields.filter((field) => !hasWords(field))).toEqual([]);
});

test('the audit log · each field that a write leaves beside it · has words', () => {
  const sources = ['activities', 'api'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(path.join(folder, file), 'utf8')),
  );
  const fields = sources.flatMap((text) =>
    [...text.matchAll(/\bdetail: \{ (.*?) \},?$/gm)].flatMap(([, body = '']) =>
      [...body.matchAll(/(?:^|, )([a-z_0-9]+)(?=:|,|$)/g)].map(([, field = '']) => field),
    ),
  );
  expect(fields).toEqual(expect.arrayContaining(['account_id', 'payloads', 'asked_in']));
  const words = ['audit', 'subject', 'history']
    .map((file) => readFileSync(`web/console/texts/${file}.ts`, 'utf8'))
    .join('\n');
  expect(fields.filter((field) => !words.includes(`\n      ${field}: '`))).toEqual([]);
});

/** As they stand in the file: texts are React's, which no test runs. */
const VALUES = readFileSync('web/console/texts/field-values.ts', 'utf8');
const valuesOf = (field: string): string =>
  new RegExp(`\\n    ${field}: \\{(.*?)\\}`, 's').exec(VALUES)?.[1] ?? '';

test.each<[string, readonly string[]]>([
  ['type', [...TRACKER_TYPES, ...DISPLAY_TYPES, ...AD_TYPES, 'PERFORMANCE']],
  ['creative_type', CREATIVE_TYPES],
  ['event_type', TRACKER_EVENT_TYPES],
  ['count_mode', COUNT_MODES],
  ['rotation_mode', ROTATION_MODES],
])('the history · each value of %s · has words', (field, values) => {
  expect(values.filter((value) => !valuesOf(field).includes(` ${value}: '`))).toEqual([]);
});
