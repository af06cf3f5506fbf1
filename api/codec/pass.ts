import { type RequestHandler, Router } from 'express';
import { createColumnSealer, type SealedPlace } from '../../db/sealed-columns.ts';
import { identityOf } from '../http/auth.ts';
import type { ConsoleDeps } from '../deps.ts';
import { record, time, words, wordsOrNull } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';

/** Roles that may read what flows are given and answer; ADMIN may in any case. */
export const DECODING_ROLES = ['FINANCE'] as const;

const COOKIE = 'adp-codec';
const PLACE: SealedPlace = { column: 'codec_pass', row: COOKIE };
const PATH = '/codec';
const BEARER = /^Bearer (\S+)$/i;

const sealerOf = ({ config }: Pick<ConsoleDeps, 'config'>) => createColumnSealer(config.keys.data);

/**
 * A browser that shows Temporal's pages cannot send an operator's token with what it asks to have decoded:
 * it gets that token sealed, in a cookie that no script reads and that only the decoder is sent. It opens
 * nothing else, and ends with the login.
 */
export function codecPassRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sealer = sealerOf(deps);
  const secure = deps.config.urls.base.startsWith('https:');
  router.post(
    '/pass',
    route(
      {
        summary: "Let this browser read sealed payloads on Temporal's pages until you log out",
        rule: 'interface 5.2',
        roles: DECODING_ROLES,
        answer: record({ endpoint: words(), ui_url: wordsOrNull(), expires_at: time() }),
      },
      async ({ req, res }) => {
        const token = BEARER.exec(req.get('Authorization') ?? '')?.[1] ?? '';
        const expiresAt = new Date(identityOf(req).tokenExpiresAt * 1_000);
        res.cookie(COOKIE, sealer.seal(token, PLACE), {
          httpOnly: true,
          secure,
          // Temporal's pages may be of another site; whose they are is held by their origin (decode.ts).
          sameSite: secure ? 'none' : 'lax',
          path: PATH,
          expires: expiresAt,
        });
        return await Promise.resolve({
          endpoint: `${deps.config.urls.base}${PATH}`,
          ui_url: deps.config.temporal.uiUrl,
          expires_at: expiresAt.toISOString(),
        });
      },
    ),
  );
  return router;
}

/** The cookie as the token that it holds, for `auth.require`; a request without one is left as it is. */
export function readPass(deps: Pick<ConsoleDeps, 'config'>): RequestHandler {
  const sealer = sealerOf(deps);
  return (req, _res, next) => {
    const sealed = cookieOf(req.get('Cookie') ?? '');
    delete req.headers.authorization;
    const token = sealed === undefined ? null : opened(sealer, sealed);
    if (token !== null) req.headers.authorization = `Bearer ${token}`;
    next();
  };
}

function cookieOf(header: string): string | undefined {
  const found = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${COOKIE}=`));
  return found === undefined ? undefined : decodeURIComponent(found.slice(COOKIE.length + 1));
}

/** Null where it was not sealed here: then nobody asks. */
function opened(sealer: ReturnType<typeof sealerOf>, sealed: string): string | null {
  try {
    return sealer.open(sealed, PLACE);
  } catch {
    return null;
  }
}
