import { columnsFrom, presentRow } from '../../../api/http/wire.ts';
import { idOf, moneyOrNull, record, time, words } from '../../../api/http/response-shapes.ts';

describe('columns of a request', () => {
  test.each([
    ['name', 'name'],
    ['landing_url', 'landingUrl'],
    ['image_media_id_2', 'imageMediaId2'],
    ['html5_media_id', 'html5MediaId'],
    ['adgroup_id', 'adGroupId'],
  ])('a field · %s · is the column %s', (field, column) => {
    expect(columnsFrom({ [field]: 7 }, [column])).toEqual({ [column]: 7 });
  });

  test('a field · of no column that was named · is left out', () => {
    const foreign = { advertiser_id: 2, audit_status: 'APPROVED' };
    const body: { name: string } = { name: 'A', ...foreign };
    expect(columnsFrom(body, ['name'])).toEqual({ name: 'A' });
  });

  test('a field · that is null or undefined · stays what it is', () => {
    const body = { landing_url: null, name: undefined };
    expect(columnsFrom(body, ['landingUrl', 'name'])).toStrictEqual({
      landingUrl: null,
      name: undefined,
    });
  });
});

describe('answer of a row', () => {
  const shape = record({
    id: idOf(),
    adgroup_id: idOf(),
    daily_budget: moneyOrNull(),
    bid: moneyOrNull(),
    created_at: time(),
    label: words(),
  });
  const row = {
    id: 1,
    adGroupId: 2,
    dailyBudgetNanos: 1_500_000_000n,
    bidNanos: null,
    createdAt: new Date('2026-01-02T03:04:05Z'),
    passwordHash: 'secret',
  };

  test('a row · in a shape · is its fields, amounts and times, and nothing else', () => {
    expect(presentRow(shape, row, { label: 'L' })).toEqual({
      id: 1,
      adgroup_id: 2,
      daily_budget: 1.5,
      bid: null,
      created_at: '2026-01-02T03:04:05.000Z',
      label: 'L',
    });
  });

  test('what is given beside the row · under a name that the row has · wins', () => {
    expect(presentRow(shape, row, { label: 'L', id: 9 }).id).toBe(9);
  });
});
