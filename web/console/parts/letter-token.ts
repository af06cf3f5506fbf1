import { ApiError } from '../../client/client.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { stated, textOf } from './search.ts';

/** What the address of a letter holds. */
export const tokenSearch = (raw: Record<string, unknown>): { token?: string } =>
  stated({ token: textOf(raw['token']) });

/** Of a letter about an address: whether the login is to have another one by it. */
export const emailSearch = (
  raw: Record<string, unknown>,
): { token?: string; change?: boolean } => ({
  ...tokenSearch(raw),
  ...(raw['change'] === true ? { change: true } : {}),
});

/** The link was used, is too old or is none of ours: another try helps as little as another word in a field. */
export const isDeadLink = (error: unknown): boolean =>
  error instanceof ApiError && error.errors.some(({ field }) => field === 'token');

/** Kept for this tab alone, so that the page may be loaded anew. */
const keptAt = (): string => `letter ${window.location.pathname}`;

/**
 * The token, which is taken out of the address as soon as it was read: it is nobody else's business, and would stay in
 * the browser's history. `forget` when it was used.
 */
export function useLetterToken(): { token: string; forget: () => void } {
  const { token: given = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [token] = useState(() => (given === '' ? (sessionStorage.getItem(keptAt()) ?? '') : given));
  // An address is not ours to draw: it is changed once the page stands.
  useEffect(() => {
    if (given === '') return;
    sessionStorage.setItem(keptAt(), given);
    void navigate({
      to: '.',
      search: ({ token: _read, ...rest }: Record<string, unknown>) => rest,
      replace: true,
    });
  }, [given, navigate]);
  return { token, forget: () => sessionStorage.removeItem(keptAt()) };
}
