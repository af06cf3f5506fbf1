import { domainOf } from '../../web/console/routes/publisher/_in/sites/-domain.ts';

/** People copy what their browser shows; the API takes a domain and nothing else. */
test.each([
  ['news.example.com', 'news.example.com'],
  ['https://news.example.com', 'news.example.com'],
  [' HTTP://news.example.com/today?user=me#top ', 'news.example.com'],
  ['news.example.com/', 'news.example.com'],
  // Refused by the API, as they were typed.
  ['ftp://news.example.com', 'ftp:'],
  ['https://', 'https://'],
  ['no domain', 'no domain'],
  ['', null],
  [null, null],
])('%p · is the domain %p', (pasted, domain) => {
  expect(domainOf(pasted)).toBe(domain);
});
