import { mountedRoutes } from '../../../api/openapi/route-list.ts';
import { openApiOf } from '../../../api/openapi/openapi.ts';
import { createDocumentCheck } from '../../support/document-check.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/**
 * Surfaces that describe themselves apart from their handlers: what they say is really served. That
 * their answers fit is checked on every answer of every test (test/support/answer-check.ts).
 */
let stand: Stand;

beforeAll(async () => {
  stand = await createStand();
});

afterAll(async () => {
  await stand.close();
});

const AT = /^\/(ad|track|health)\/|^\/sdk\.js$/;

describe('open surfaces', () => {
  test('every mounted route of them · in the document · has a contract', () => {
    const open = mountedRoutes(stand.app).filter(({ path }) => AT.test(path));
    expect(open.length).toBeGreaterThanOrEqual(18);
    expect(open.filter(({ contract }) => contract === undefined)).toEqual([]);
  });

  test('every route that is described · asked · is answered by its handler', async () => {
    const described = mountedRoutes(stand.app).filter(({ path }) => AT.test(path));
    const unserved: string[] = [];
    for (const { method, path } of described) {
      const address = `http://127.0.0.1:${stand.port}${path.replace(/:\w+/g, 'nothing')}`;
      const answer = await fetch(address, { method });
      const text = await answer.text();
      // The inventory of this application was never loaded, so no handler finds a thing missing.
      if (text.includes('"not_found"')) unserved.push(`${method} ${path}: ${answer.status}`);
    }
    expect(unserved).toEqual([]);
  });

  test('an ad answer · with a field too many or too few, or text for a number · is a breach', () => {
    const faultIn = createDocumentCheck(openApiOf(stand.app));
    const at = { method: 'GET', path: '/ad/request', status: 200, type: 'application/json' };
    const zone = {
      id: 1,
      code: 'zone_abcdefgh',
      width: 300,
      height: 250,
      type: 'BANNER',
      refresh: 0,
    };
    const labels = { lang: 'en', ad: 'Advertisement', close: 'Close advertisement' };
    const data = { request_id: 'r', zone, ads: [], labels, qa_k: 'k', _rand: 'x', _ts: 1, _v: 1 };
    const answer = (changes: object) =>
      faultIn({
        ...at,
        value: () => ({ code: 0, message: 'ok', data: { ...data, ...changes }, timestamp: 1 }),
      });
    expect(answer({})).toBeNull();
    expect(
      answer({ zone: { ...zone, frequency: { impressions: 1, window_seconds: 60 } } }),
    ).toBeNull();
    expect(answer({ extra: 1 })).toMatch(/additional properties/);
    expect(answer({ qa_k: undefined })).toMatch(/qa_k/);
    expect(answer({ zone: { ...zone, width: '300' } })).toMatch(/width/);
    expect(answer({ ads: [{ id: 'only' }] })).toMatch(/ads\/0/);
  });
});
