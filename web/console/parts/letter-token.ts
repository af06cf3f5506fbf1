import { ApiError } from '../../client/client.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { textOf } from './search.ts';

/** What the address of a letter holds. */
export const tokenSearch = (raw: Record<string, unknown>): { token: string } => ({
  token: textOf(raw['token']) ?? '',
});

/** Of a letter about an address: whether the login is to have another one by it. */
export const emailSearch = (raw: Record<string, unknown>): { token: string; change?: boolean } => ({
  ...tokenSearch(raw),
  ...(raw['change'] === true ? { change: true } : {}),
});

/** The link was used, is too old or is none of ours: another try helps as little as another word in a field. */
export const isDeadLink = (error: unknown): boolean =>
  error instanceof ApiError && error.errors.some(({ field }) => field === 'token');

/** The token, and what takes it out of the address and of what was before it: it is nobody else's business. */
export function useLetterToken(): { token: string; forget: () => Promise<void> } {
  const { token = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    token,
    forget: async () => await navigate({ to: '.', search: { token: '' }, replace: true }),
  };
}
