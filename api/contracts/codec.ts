import * as yup from 'yup';
import { listOf, mapOf, record, words } from '../http/response-shapes.ts';
import { json, loose, type OpenRoute, refusal } from './open.ts';

/** As Temporal writes payloads in JSON: every value is base64. */
const payload = loose({
  metadata: yup.mixed().meta({ schema: { type: 'object' } }),
  data: yup.string(),
});
const opened = record(
  { payloads: listOf(record({ metadata: mapOf(words()), data: words() })) },
  'DecodedPayloads',
);

/** Relative to /codec. */
export const CODEC_ROUTES: readonly OpenRoute[] = [
  {
    method: 'POST',
    path: '/decode',
    contract: {
      summary: "Open sealed payloads for Temporal's pages",
      rule: 'interface 5.2',
      body: loose({ payloads: yup.array().of(payload).required() }),
      raw: {
        200: json('Opened, in the order in which they were sent.', opened),
        401: refusal('This browser has no pass, or its login has ended.'),
        403: refusal('Of a role that may not, or without a second factor where it is a duty.'),
        404: refusal("Not asked by Temporal's pages."),
        422: refusal('Not sealed by this platform.'),
      },
    },
  },
];
