import { parseUrl } from '../../domain/url.ts';

test('url · letters beyond ASCII, ten thousand times · is read each time', () => {
  let read = 0;
  for (let n = 0; n < 10_000; n += 1) {
    if (parseUrl('https://müller.example/é')?.hostname === 'xn--mller-kva.example') read += 1;
  }
  expect(read).toBe(10_000);
});

test.each(['', 'x', 'http://', 'https://[::1', 'http://a b/'])('url · %p · is none', (text) => {
  expect(parseUrl(text)).toBeNull();
});

test('url · relative with a base · is resolved', () => {
  expect(parseUrl('/b?c', 'https://a.example/x')?.href).toBe('https://a.example/b?c');
});
