import { DomainError } from '../../domain/errors.ts';

/** Somebody else has it. */
export const claimed = (field: 'email' | 'username'): DomainError =>
  new DomainError('already_claimed', {
    message: field === 'email' ? 'This e-mail address is taken.' : 'This username is taken.',
    errors: [{ field, code: 'already_claimed', message: 'is taken' }],
  });
