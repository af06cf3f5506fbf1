import { together, type Told } from '../../../web/console/parts/notices-together.ts';

type Notice = Told & { text: string };

const told = (type: string, more: object = {}): Notice => ({
  kind: 'review_decided',
  subject: { type },
  params: { decision: 'approved', campaign: { id: 1, name: 'Ropes' } },
  text: type,
  created_at: '2026-11-29T08:00:00Z',
  read_at: null,
  ...more,
});
const linesOf = (rows: readonly Notice[]): string[][] =>
  together(rows).map((line) => (line.parts ?? [line]).map(({ text }) => text));

test('approvals of one campaign · others between them · are one line at the place of the newest', () => {
  const other = told('site', { params: { decision: 'approved' } });
  expect(linesOf([told('ad'), other, told('adgroup'), told('campaign')])).toEqual([
    ['ad', 'adgroup', 'campaign'],
    ['site'],
  ]);
});

test.each([
  ['a rejection', { kind: 'review_rejected', params: { campaign: { id: 1, name: 'Ropes' } } }],
  ['what was recalled', { params: { decision: 'recalled', campaign: { id: 1, name: 'Ropes' } } }],
  ['another campaign’s', { params: { decision: 'approved', campaign: { id: 2, name: 'Ropes' } } }],
  ['of a build before', { params: { decision: 'approved' } }],
  ['what was read already', { read_at: '2026-11-29T09:00:00Z' }],
  ['more than an hour before', { created_at: '2026-11-29T06:59:59Z' }],
])('%s · beside an approval · stands alone', (_what, more) => {
  expect(linesOf([told('ad'), told('adgroup', more)])).toEqual([['ad'], ['adgroup']]);
});
