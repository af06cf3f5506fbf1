/**
 * Every refusal of the platform has a name. The catalogue fixes, per token, the wire code
 * (status x 100 + n, interface 7) and a default text; api/http/errors.ts turns it into the envelope,
 * the worker into a non-retryable failure of the same type.
 */
export const ERRORS = {
  malformed_request: [40000, 'The request could not be read.'],
  token_missing: [40100, 'A bearer token is required.'],
  bad_credentials: [40101, 'Wrong username or password.'],
  token_expired: [40102, 'The token is expired or no longer valid.'],
  second_factor_required: [40104, 'A second factor is required.'],
  signature_bad: [40103, 'The signature is missing or wrong.'],
  wrong_realm: [40300, 'This token is not for this part of the platform.'],
  forbidden_role: [40300, 'Your role does not allow this.'],
  account_suspended: [40301, 'This account is suspended.'],
  step_up_required: [40303, 'Please show your second factor again.'],
  second_factor_missing: [40304, 'Please set up a second factor first.'],
  seal_invalid: [40302, 'This was not issued here, or it was changed.'],
  not_found: [40400, 'Not found.'],
  state_conflict: [40900, 'Not possible in the present state.'],
  already_claimed: [40901, 'Already taken.'],
  idempotency_mismatch: [40902, 'This Idempotency-Key was used with another request.'],
  reward_too_early: [40903, 'Too early for this reward.'],
  seal_expired: [41000, 'This is too old to be used.'],
  profile_incomplete: [41200, 'Please complete your profile first.'],
  kyc_required: [41201, 'Identity verification is required first.'],
  precondition_failed: [41202, 'It was changed since you read it: read it again.'],
  too_large: [41300, 'The request is too large.'],
  unsupported_media: [41500, 'This content type is not supported.'],
  validation_failed: [42200, 'Some fields are not valid.'],
  rate_limited: [42900, 'Too many requests.'],
  internal: [50000, 'Something went wrong on our side.'],
  unavailable: [50300, 'Temporarily unavailable. Nothing was changed; please try again.'],
} as const satisfies Record<string, readonly [code: number, message: string]>;

export type ErrorToken = keyof typeof ERRORS;

/** One wrong field: `code` is stable (`required`, `type`, `min`, `unknown_field`, ...). */
export interface FieldError {
  field: string;
  code: string;
  message: string;
}

export interface DomainErrorOptions {
  message?: string | undefined;
  errors?: FieldError[] | undefined;
  /** Extra fields of `data`, such as `requires_kyc` (interface 7). */
  hints?: Record<string, unknown> | undefined;
  cause?: unknown;
}

/** An expected refusal. Thrown by domain/ and activities/, never used for programmer faults. */
export class DomainError extends Error {
  readonly token: ErrorToken;
  readonly errors: FieldError[] | undefined;
  readonly hints: Record<string, unknown> | undefined;

  constructor(token: ErrorToken, options: DomainErrorOptions = {}) {
    super(options.message ?? ERRORS[token][1], { cause: options.cause });
    this.name = 'DomainError';
    this.token = token;
    this.errors = options.errors;
    this.hints = options.hints;
  }

  get code(): number {
    return ERRORS[this.token][0];
  }

  get status(): number {
    return Math.floor(this.code / 100);
  }
}

/** 422 with every wrong field at once. */
export function invalid(...errors: FieldError[]): DomainError {
  return new DomainError('validation_failed', { errors });
}

const MEGABYTE = 1_048_576;

/** 413 of a file, with what it may have. */
export const fileTooLarge = (bytesMax: number): DomainError =>
  new DomainError('too_large', {
    message: `The file is too large: at most ${Math.floor(bytesMax / MEGABYTE)} MB.`,
  });

export const notFound = (): DomainError => new DomainError('not_found');

export const conflict = (message: string, hints?: Record<string, unknown>): DomainError =>
  new DomainError('state_conflict', { message, hints });
