import type { OpenApiDocument } from '../../api/openapi/openapi.ts';
import { NOUNS, type Objects } from '../support/bad-input/catalogue.ts';
import { documentFor } from './document.ts';
import { figuresOf, summaryOf } from './summary.ts';

const objects = Object.fromEntries(NOUNS.map((noun, index) => [noun, index + 1])) as Objects;

const reportOf = (label: string, status: number, outcome: string): string =>
  JSON.stringify({
    ScenarioFinished: {
      recorder: {
        label,
        checks: { a: [{ name: 'not_a_server_error', status: outcome }] },
        interactions: { a: { response: { status_code: status } } },
      },
    },
  });

describe('figures of a run', () => {
  test('report · with one success and one failure · counts both and says what never succeeded', () => {
    const report = [
      '{"EngineStarted":{}}',
      reportOf('GET /a', 200, 'success'),
      reportOf('GET /a', 404, 'success'),
      reportOf('POST /b', 500, 'failure'),
      '',
    ].join('\n');
    const { requests, operations, found } = figuresOf(report);
    expect([requests, operations.size, found.get('not_a_server_error')]).toEqual([3, 2, 1]);
    expect(summaryOf(report)).toBe(
      '3 requests to 2 operations: 1 × 200, 1 × 404, 1 × 500; ' +
        'found: not_a_server_error 1; never a success: POST /b',
    );
  });

  test('report · of nothing · says nothing found', () => {
    expect(summaryOf('')).toBe('0 requests to 0 operations: ; nothing found');
  });
});

describe('document of a run', () => {
  test('patterns · with names of Unicode · become what the fuzzer can make texts of', () => {
    const schema = {
      pattern: String.raw`^(?=.*[^\s\u2800\p{Default_Ignorable_Code_Point}])\P{Cc}*$`,
    };
    const pages = { get: { parameters: [{ name: 'q', in: 'query', schema }] } };
    const made = documentFor(
      { openapi: '3.1.0', components: {}, paths: { '/a': pages } },
      { objects, values: {} },
    );
    expect(JSON.stringify(made)).not.toMatch(/\\p\{/i);
    const shown = (made.paths['/a'] as typeof pages).get.parameters[0]?.schema.pattern ?? '';
    const fits = new RegExp(shown);
    const texts = ['a b', ' ', 'a\u0000', 'a\u0085', '\u3164\u200d', '词'];
    expect(texts.filter((text) => fits.test(text))).toEqual(['a b', '词']);
  });

  const document = {
    openapi: '3.1.0',
    components: {},
    paths: {
      '/api/advertiser/campaigns/{id}': {
        put: {
          parameters: [
            { name: 'id', in: 'path', schema: { type: 'integer' } },
            { name: 'wait', in: 'query', schema: { type: 'integer', maximum: 20 } },
          ],
          requestBody: {
            content: {
              'application/json': {
                schema: { properties: { tracker_id: { type: ['integer', 'null'] }, name: {} } },
                example: { tracker_id: 77, name: 'Ropes' },
              },
            },
          },
        },
      },
    },
  } satisfies OpenApiDocument;

  test('ids and references · of the document · become things that there are', () => {
    const { put } = documentFor(document, { objects, values: { tracker_id: [5] } }).paths[
      '/api/advertiser/campaigns/{id}'
    ] as { put: { parameters: { schema: object }[]; requestBody: object } };
    expect(put.parameters.map(({ schema }) => schema)).toEqual([
      { enum: [objects.campaign, 987_654_321] },
      { type: 'integer', maximum: 1 },
    ]);
    expect(put.requestBody).toMatchObject({
      content: {
        'application/json': {
          schema: { properties: { tracker_id: { enum: [5, null] }, name: {} } },
          example: { tracker_id: 5, name: 'Ropes' },
        },
      },
    });
  });
});
