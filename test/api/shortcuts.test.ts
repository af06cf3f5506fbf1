import type { Request, Response } from 'express';
import { shortcuts } from '../../api/shortcuts.ts';

/** Who took a request: the shortcut of a surface, or nobody. */
async function takenBy(method: string, url: string, surfaces = { ad: true, track: true }) {
  const taken: string[] = [];
  const handler = shortcuts({
    ad: surfaces.ad ? { request: () => void taken.push('ad') } : undefined,
    track: surfaces.track
      ? (_req, _res, rest) => {
          taken.push(`track ${rest}`);
          return rest.startsWith('/impression/');
        }
      : undefined,
  });
  await handler({ method, url } as Request, {} as Response, () => void taken.push('next'));
  return taken;
}

test('shortcuts · an ad request by GET · is taken, anything else of the surface goes on', async () => {
  expect(await takenBy('GET', '/ad/request?zone=1')).toEqual(['ad']);
  for (const [method, url] of [
    ['POST', '/ad/request?zone=1'],
    ['OPTIONS', '/ad/request?zone=1'],
    ['HEAD', '/ad/request?zone=1'],
    ['GET', '/ad/request/1'],
    ['GET', '/ad/requests?zone=1'],
    ['GET', '/ad/render/1'],
    ['GET', '/api/ad/request?zone=1'],
  ] as const) {
    expect(await takenBy(method, url)).toEqual(['next']);
  }
});

test('shortcuts · a tracking path · is offered without its mount, and goes on when not taken', async () => {
  expect(await takenBy('GET', '/track/impression/x?a=1')).toEqual(['track /impression/x?a=1']);
  expect(await takenBy('GET', '/track/conversion?c=1')).toEqual(['track /conversion?c=1', 'next']);
  expect(await takenBy('GET', '/tracking')).toEqual(['next']);
});

test('shortcuts · a process without the surface · passes everything on', async () => {
  const none = { ad: false, track: false };
  expect(await takenBy('GET', '/ad/request?zone=1', none)).toEqual(['next']);
  expect(await takenBy('GET', '/track/impression/x', none)).toEqual(['next']);
});
