import fc from 'fast-check';
import { adRequestKey, deobfuscate, obfuscate } from '../../../domain/tracking/obfuscation.ts';
import {
  bodyParams,
  canonicalOf,
  isSignedBy,
  nonceTime,
  signRequest,
} from '../../../domain/tracking/signature.ts';

/** The published vector of the v2 protocol, computed alike in two languages. */
const VECTOR = {
  key: 'EWr_58ng1xdL5l0BabbdQaiEyrQkm1oqOyD54_sNpqIbhR2UfTCxunTMyw',
  nonce: '1763600000123.AAECAwQFBgcICQoL',
  device: { v: 1, ua: 'UA', l: 'en-US', tz: 'UTC' },
  obfuscated: 'e5yzq52p1W9DIZZ_012XQo2i8XsHl2HKakstNAAl-hX3xJVckqIjcA',
  signature: 'qwSxtEbZx3mtAeWSlSUHgwdwVRUpyCKWgeewcu3AjxI',
};
const request = {
  method: 'GET',
  path: '/track/impression/TID',
  params: [
    ['qa_k', VECTOR.key],
    ['_v', '2'],
    ['_d', VECTOR.obfuscated],
    ['_r', VECTOR.nonce],
  ] as [string, string][],
};

test('v2 vector · device data under qa_k · obfuscates and reads back', () => {
  expect(obfuscate(VECTOR.device, VECTOR)).toBe(VECTOR.obfuscated);
  expect(deobfuscate(VECTOR.obfuscated, VECTOR)).toEqual(VECTOR.device);
});

test('v2 vector · device data of an ad request · uses the zone and the nonce', () => {
  const keystream = { key: adRequestKey('zone_abcdefgh', VECTOR.nonce), nonce: VECTOR.nonce };
  expect(obfuscate({ v: 1 }, keystream)).toBe('eze8rzrNug');
});

test('v2 vector · request · signs the sorted parameters', () => {
  expect(canonicalOf(request)).toBe(
    `QA2\nGET\n/track/impression/TID\n_d=${VECTOR.obfuscated}&_r=${VECTOR.nonce}&_v=2&qa_k=${VECTOR.key}`,
  );
  expect(signRequest(VECTOR.key, request)).toBe(VECTOR.signature);
  const signed = {
    ...request,
    params: [...request.params, ['_s', VECTOR.signature] as [string, string]],
  };
  expect(isSignedBy(VECTOR.key, signed, VECTOR.signature)).toBe(true);
});

test('signature · anything changed · does not hold', () => {
  const edits = [
    { ...request, method: 'POST' },
    { ...request, path: '/track/impression/TIE' },
    { ...request, params: [...request.params, ['x', '']] as [string, string][] },
    ...request.params.map((_, at) => ({
      ...request,
      params: request.params.map(([name, value], index): [string, string] => [
        name,
        index === at ? `${value}.` : value,
      ]),
    })),
    ...request.params.map((_, at) => ({
      ...request,
      params: request.params.filter((__, i) => i !== at),
    })),
  ];
  for (const edit of edits) expect(isSignedBy(VECTOR.key, edit, VECTOR.signature)).toBe(false);
  for (let at = 0; at < VECTOR.signature.length; at += 1) {
    const edit = `${VECTOR.signature.slice(0, at)}~${VECTOR.signature.slice(at + 1)}`;
    expect(isSignedBy(VECTOR.key, request, edit)).toBe(false);
  }
  expect(isSignedBy(VECTOR.key, request, '')).toBe(false);
});

test('signature · body with objects · does not depend on the order of keys', () => {
  const a = bodyParams({
    track_id: 'T',
    device_data: { b: 1, a: { d: [1, { z: 1, y: 2 }], c: null } },
  });
  const b = bodyParams({
    device_data: { a: { c: null, d: [1, { y: 2, z: 1 }] }, b: 1 },
    track_id: 'T',
  });
  const path = '/track/click-verify';
  expect(canonicalOf({ method: 'POST', path, params: a })).toBe(
    canonicalOf({ method: 'POST', path, params: b }),
  );
  expect(a).toContainEqual(['device_data', '{"a":{"c":null,"d":[1,{"y":2,"z":1}]},"b":1}']);
});

test('obfuscation · any JSON object · reads back, under another key or nonce it does not', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }), (value) => {
      const text = obfuscate(value, { key: 'k', nonce: 'n' });
      fc.pre(text.length < 2_700 && Object.keys(value).every((key) => key !== '__proto__'));
      expect(deobfuscate(text, { key: 'k', nonce: 'n' })).toEqual(
        JSON.parse(JSON.stringify(value)),
      );
      expect(deobfuscate(text, { key: 'l', nonce: 'n' })).toBeNull();
      expect(deobfuscate(text, { key: 'k', nonce: 'm' })).toBeNull();
    }),
  );
});

test('obfuscation · junk of any kind · is null, never an error', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(deobfuscate(text, { key: 'k', nonce: 'n' })).toBeNull();
    }),
  );
  expect(deobfuscate('A'.repeat(3_000), { key: 'k', nonce: 'n' })).toBeNull();
});

test('nonce · well-formed · gives its time, anything else null', () => {
  expect(nonceTime(VECTOR.nonce)).toBe(1763600000123);
  for (const bad of [
    '',
    '1763600000123',
    '1763600000123.short',
    `176360000012.${'A'.repeat(16)}`,
    `1763600000123.${'A'.repeat(17)}`,
  ]) {
    expect(nonceTime(bad)).toBeNull();
  }
});
