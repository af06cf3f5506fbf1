import { createHash, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Whereabouts } from '../../activities/accounts/whereabouts.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { Realm } from '../http/auth.ts';

/** A browser that has logged in keeps a random text, by which it is known the next time. */
const COOKIE_DAYS = 180;
const TOKEN = /^[\w-]{43}$/;

/** Bound to this host alone where it is safe to say so (RFC 6265bis, 4.1.3.2). */
const cookieOf = (realm: Realm, secure: boolean): string =>
  `${secure ? '__Host-' : ''}adp-device-${realm}`;

const isSecure = ({ config }: Pick<ConsoleDeps, 'config'>): boolean =>
  config.urls.base.startsWith('https:');

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

function deviceTokenOf(req: Request, realm: Realm, secure: boolean): string | undefined {
  const name = `${cookieOf(realm, secure)}=`;
  const found = (req.get('Cookie') ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(name));
  const token = found?.slice(name.length);
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** Where a request comes from, cut so that it may be kept; `deviceHash` null where no cookie was sent. */
export function whereaboutsOf(
  deps: Pick<ConsoleDeps, 'readViewer' | 'config'>,
  req: Request,
  realm: Realm,
): Omit<Whereabouts, 'deviceHash'> & { deviceHash: string | null } {
  const { browser, os, ipPrefix, country } = deps.readViewer(req);
  const token = deviceTokenOf(req, realm, isSecure(deps));
  return {
    device: `${browser} · ${os}`,
    network: ipPrefix,
    country,
    deviceHash: token === undefined ? null : hashOf(token),
  };
}

/**
 * The same for whoever has shown who they are: the browser gets its cookie. It opens nothing by itself;
 * scripts cannot read it, and no other site's request carries it.
 */
export function rememberDevice(
  deps: Pick<ConsoleDeps, 'readViewer' | 'config'>,
  { req, res, realm }: { req: Request; res: Response; realm: Realm },
): Whereabouts {
  const secure = isSecure(deps);
  const token = deviceTokenOf(req, realm, secure) ?? randomBytes(32).toString('base64url');
  res.cookie(cookieOf(realm, secure), token, {
    httpOnly: true,
    sameSite: 'strict',
    secure,
    path: secure ? '/' : `/api/${realm}/auth`,
    maxAge: COOKIE_DAYS * 86_400_000,
  });
  return { ...whereaboutsOf(deps, req, realm), deviceHash: hashOf(token) };
}
