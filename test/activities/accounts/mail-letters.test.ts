import { letterOf } from '../../../activities/accounts/mail-letters.ts';

const FACTS = {
  detail: 'gazette.example.com',
  expiresAt: new Date('2026-11-24T16:05:59Z'),
  username: 'anna',
  account: 'Harbour Rope Ltd',
  realm: 'publisher',
  language: 'en',
  baseUrl: 'https://ads.example',
} as const;

test('letter · of a site that lapses · names the site, the moment and the console', () => {
  const { subject, text } = letterOf('site_lapsing', FACTS);
  expect(subject).toBe('We no longer find the proof on gazette.example.com');
  expect(text).toMatch(/^Hello anna,\n\n/);
  expect(text).toContain('before 2026-11-24 16:05 UTC');
  expect(text).toContain('https://ads.example/console/');
});

test('letter · of a site that has lapsed · names the site', () => {
  const { subject, text } = letterOf('site_lapsed', FACTS);
  expect(subject).toBe('gazette.example.com is no longer verified');
  expect(text).toContain('The console verifies it again.');
});
