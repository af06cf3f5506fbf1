import { isIP } from 'node:net';
import type { Request } from 'express';
import type { RelyingParty } from '../../activities/accounts/passkeys.ts';
import type { ConsoleDeps } from '../deps.ts';

/**
 * The console that asks, when it is one of ours: passkeys are good there alone. Null where its host is a bare
 * address, at which browsers make none.
 */
export function relyingPartyOf(
  { config }: Pick<ConsoleDeps, 'config'>,
  req: Request,
): RelyingParty | null {
  const ours = [config.urls.base, ...config.http.consoleOrigins].map((url) => new URL(url).origin);
  const asked = req.get('Origin');
  const origin = ours.find((each) => each === asked) ?? ours[0] ?? '';
  const { hostname } = new URL(origin);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { id: hostname, origin } : null;
}
