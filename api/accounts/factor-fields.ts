import * as yup from 'yup';
import type { Proof } from '../../activities/accounts/factor-proofs.ts';
import { FACTOR_KINDS, FACTOR_NAME_MAX } from '../../domain/second-factor.ts';
import { invalid } from '../../domain/errors.ts';
import { text } from '../http/fields.ts';
import {
  flag,
  idOf,
  listOf,
  mapOf,
  oneOf,
  record,
  time,
  timeOrNull,
  whole,
  words,
} from '../http/response-shapes.ts';

/** Bodies and answers of second factors, alike in the three realms (interface 5.17). */

const TICKET_MAX = 200;
const PASSWORD_MAX = 1_024;
const CREDENTIAL_BYTES_MAX = 16_384;

const secret = (max: number) => text(max).meta({ kind: 'secret' });
const ticket = () => secret(TICKET_MAX).required();
const sixDigits = () =>
  yup
    .string()
    .matches(/^\d{6}$/, 'must be six digits')
    .meta({ kind: 'secret' });
const name = () => text(FACTOR_NAME_MAX).matches(/\S/, 'must say something');
/** As the browser's WebAuthn gives it; the library that reads it knows its shape. */
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const credential = () =>
  yup
    .mixed<Record<string, unknown>>()
    .test('type', 'must be an object', (value) => value === undefined || isObject(value))
    .test(
      'max',
      `must be at most ${CREDENTIAL_BYTES_MAX} bytes of JSON`,
      (value) =>
        value === undefined || Buffer.byteLength(JSON.stringify(value)) <= CREDENTIAL_BYTES_MAX,
    )
    .meta({ kind: 'map', schema: { type: 'object' } });

export const passwordAgainBody = yup.object({ password: secret(PASSWORD_MAX).required() });
export const codeBody = yup.object({ code: sixDigits().required(), name: name() });
export const newPasskeyBody = yup.object({
  ticket: ticket(),
  name: name(),
  response: credential().required(),
});
export const renameBody = yup.object({ name: name().required() });

export const ticketBody = yup.object({ ticket: ticket() });

/** One of code, recovery_code and passkey. */
export const proofBody = yup.object({
  ticket: ticket(),
  code: sixDigits(),
  recovery_code: secret(40),
  passkey: credential(),
});

/** Raises validation_failed unless exactly one way was chosen. */
export function proofOf(body: yup.InferType<typeof proofBody>): Proof {
  const proof = { code: body.code, recoveryCode: body.recovery_code, passkey: body.passkey };
  const given = Object.values(proof).filter((each) => each !== undefined && each !== null);
  if (given.length !== 1) {
    throw invalid({
      field: 'code',
      code: 'one_of',
      message: 'give one of code, recovery_code and passkey',
    });
  }
  return proof;
}

/** What a browser hands to WebAuthn. */
const options = () => mapOf();

export const questionShape = record(
  {
    ticket: words(),
    methods: listOf(oneOf(['totp', 'passkey', 'recovery_code'])),
    passkey: options().nullable(),
  },
  'FactorQuestion',
);

export const factorShape = record(
  {
    id: idOf(),
    kind: oneOf(FACTOR_KINDS),
    name: words(),
    created_at: time(),
    last_used_at: timeOrNull(),
  },
  'Factor',
);

export const factorsShape = record(
  {
    items: listOf(factorShape),
    recovery_codes_left: whole().min(0),
    /** A second factor is a duty here. */
    is_duty: flag(),
    /** Browsers make passkeys at a host with a name only. */
    passkeys_possible: flag(),
  },
  'Factors',
);

export const begunTotpShape = record({ id: idOf(), secret: words(), uri: words() });
export const begunPasskeyShape = record({ ticket: words(), options: options() });
export const confirmedShape = record({
  factor: factorShape,
  /** With the first factor, and never shown again. */
  recovery_codes: listOf(words()).nullable().defined(),
});
export const codesShape = record({ recovery_codes: listOf(words()) });
