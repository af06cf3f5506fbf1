import { readFileSync } from 'node:fs';
import { adSizesInChinese } from '../../../web/console/texts/ad-size-zh.ts';

test('sizes of ads · that the platform names · have a Chinese name', () => {
  const [, rows = ''] =
    /INTO ad_formats [^;]*?VALUES([^;]*);/.exec(
      readFileSync('db/migrations/0002-inventory.sql', 'utf8'),
    ) ?? [];
  const names = [...rows.matchAll(/\('[^']+', '([^']+)'/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(Object.keys(adSizesInChinese).toSorted()).toEqual(names.toSorted());
});
