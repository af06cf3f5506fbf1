import type { IncomingMessage, ServerResponse } from 'node:http';
import { shortcuts } from '../../api/shortcuts.ts';

/** Who took a request: the shortcut of a surface, or nobody. */
function takenBy(
  method: string,
  url: string,
  surfaces = { ad: true, track: true, conversion: true },
) {
  const asked: string[] = [];
  const takes = shortcuts({
    ad: surfaces.ad
      ? {
          request: () => void asked.push('ad'),
          render: (_req, _res, { zone_id: zone }) => void asked.push(`render ${zone}`),
          vast: (_req, _res, { zone_id: zone }) => void asked.push(`vast ${zone}`),
        }
      : undefined,
    track: surfaces.track
      ? (_req, _res, rest) => {
          asked.push(`track ${rest}`);
          return rest.startsWith('/impression/');
        }
      : undefined,
    conversion: surfaces.conversion
      ? (_req, _res, rest) => {
          asked.push(`conversion ${rest}`);
          return rest.startsWith('/conversion?');
        }
      : undefined,
  });
  const isTaken = takes({ method, url } as IncomingMessage, {} as ServerResponse);
  return [...asked, isTaken];
}

test('shortcuts · an ad request by GET · is taken, anything else of the surface goes on', () => {
  expect(takenBy('GET', '/ad/request?zone=1')).toEqual(['ad', true]);
  for (const [method, url] of [
    ['POST', '/ad/request?zone=1'],
    ['OPTIONS', '/ad/request?zone=1'],
    ['HEAD', '/ad/request?zone=1'],
    ['GET', '/ad/request/1'],
    ['GET', '/ad/requests?zone=1'],
    ['HEAD', '/ad/render/1'],
    ['GET', '/ad/render/'],
    ['GET', '/ad/render/1/'],
    ['GET', '/ad/render/%31'],
    ['GET', '/ad/render/ad/track'],
    ['GET', '/api/ad/request?zone=1'],
  ] as const) {
    expect(takenBy(method, url)).toEqual([false]);
  }
});

test('shortcuts · an ad as a document or for a player by GET · is taken with its zone', () => {
  expect(takenBy('GET', '/ad/render/zone_a-1?limit=1')).toEqual(['render zone_a-1', true]);
  expect(takenBy('GET', '/ad/render/vast/12')).toEqual(['vast 12', true]);
  // As the routers read it: a zone of this name.
  expect(takenBy('GET', '/ad/render/vast')).toEqual(['render vast', true]);
});

test('shortcuts · a tracking path · is offered without its mount, and goes on when not taken', () => {
  expect(takenBy('GET', '/track/impression/x?a=1')).toEqual(['track /impression/x?a=1', true]);
  expect(takenBy('GET', '/track/conversion?c=1')).toEqual([
    'track /conversion?c=1',
    'conversion /conversion?c=1',
    true,
  ]);
  expect(takenBy('GET', '/track/none')).toEqual(['track /none', 'conversion /none', false]);
  expect(takenBy('GET', '/tracking')).toEqual([false]);
});

test('shortcuts · a process without the surface · passes everything on', () => {
  const none = { ad: false, track: false, conversion: false };
  expect(takenBy('GET', '/ad/request?zone=1', none)).toEqual([false]);
  expect(takenBy('GET', '/ad/render/1', none)).toEqual([false]);
  expect(takenBy('GET', '/track/impression/x', none)).toEqual([false]);
});
