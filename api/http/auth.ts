import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import jwt from 'jsonwebtoken';
import { Passport } from 'passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { DomainError } from '../../domain/errors.ts';
import type { PersonRole } from '../../domain/member.ts';

export type Realm = 'advertiser' | 'publisher' | 'admin';

/** Who sends this request, as the token says and the database confirms. */
export interface Identity {
  realm: Realm;
  /** accounts.id, or operators.id in the admin realm. */
  id: number;
  /** members.id; null is the account's owner, or an operator. */
  memberId: number | null;
  name: string;
  role: PersonRole;
  tokenId: string;
  /** Unix seconds. */
  tokenExpiresAt: number;
}

export interface TokenClaims {
  sub: string;
  ver: number;
  jti: string;
  exp: number;
  /** members.id of a member's token; an owner's has none. */
  mem?: number | undefined;
}

/** 2 h (interface 5). */
const TOKEN_TTL_SECONDS = 7_200;

/**
 * Confirms a token against the database: the person is there, the account not suspended, the token's
 * version current and its id not revoked. Answers who it is, or which refusal applies.
 */
export type ConfirmToken = (
  realm: Realm,
  claims: TokenClaims,
) => Promise<Pick<Identity, 'role' | 'name' | 'memberId'> | 'revoked' | 'suspended'>;

export interface Auth {
  /** Middleware: a valid token of this realm, else 401 or 403; sets the identity. */
  require(realm: Realm): RequestHandler;
  issue(realm: Realm, subject: TokenSubject): IssuedToken;
}

interface TokenSubject {
  id: number;
  memberId?: number | null | undefined;
  /** Of the member, where it is one. */
  tokenVersion: number;
}

export interface IssuedToken {
  token: string;
  token_type: 'Bearer';
  expires_in: number;
}

export interface AuthOptions {
  keys: Record<Realm, Buffer>;
  confirm: ConfirmToken;
  newTokenId: () => string;
}

const identities = new WeakMap<Request, Identity>();

/** Identity of a request that passed `auth.require`. */
export function identityOf(req: Request): Identity {
  const identity = identities.get(req);
  if (identity === undefined) throw new Error('route is not behind auth.require');
  return identity;
}

/** One word per person of a realm: what is theirs alone is kept under it. */
export const personKeyOf = ({ id, memberId }: Pick<Identity, 'id' | 'memberId'>): string =>
  memberId === null ? String(id) : `${id}/${memberId}`;

const AUDIENCE: Record<Realm, string> = {
  advertiser: 'adplatform:advertiser',
  publisher: 'adplatform:publisher',
  admin: 'adplatform:admin',
};
const REALMS = Object.keys(AUDIENCE) as Realm[];

/** One passport strategy, one key and one audience per realm (interface 5). */
export function createAuth(options: AuthOptions): Auth {
  // Prebuilt KeyObjects: a string key costs five times as much per request.
  const keys = Object.fromEntries(
    REALMS.map((realm) => [realm, createSecretKey(options.keys[realm])]),
  ) as Record<Realm, KeyObject>;
  const passport = new Passport();
  for (const realm of REALMS) passport.use(realm, strategy(realm, keys[realm], options.confirm));

  return {
    require: (realm) => (req, res, next) => {
      const done = (error: unknown, identity?: Identity | false, info?: unknown): void => {
        if (error !== null && error !== undefined) {
          next(error);
          return;
        }
        if (identity === undefined || identity === false) {
          next(refusal(req, realm, keys, info));
          return;
        }
        identities.set(req, identity);
        next();
      };
      (passport.authenticate(realm, { session: false }, done) as RequestHandler)(req, res, next);
    },
    issue: (realm, { id, memberId, tokenVersion }) => ({
      token: jwt.sign(claimsOf(tokenVersion, memberId), keys[realm], {
        algorithm: 'HS256',
        subject: String(id),
        audience: AUDIENCE[realm],
        issuer: 'adplatform',
        jwtid: options.newTokenId(),
        expiresIn: TOKEN_TTL_SECONDS,
      }),
      token_type: 'Bearer',
      expires_in: TOKEN_TTL_SECONDS,
    }),
  };
}

const claimsOf = (ver: number, memberId: number | null | undefined) =>
  memberId === undefined || memberId === null ? { ver } : { ver, mem: memberId };

function strategy(realm: Realm, key: KeyObject, confirm: ConfirmToken): Strategy {
  return new Strategy(
    {
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      // The typings predate KeyObject; jsonwebtoken takes it.
      secretOrKey: key as unknown as string,
      algorithms: ['HS256'],
      audience: AUDIENCE[realm],
      issuer: 'adplatform',
    },
    (claims: TokenClaims, done) => {
      confirm(realm, claims).then(
        (confirmed) => {
          if (confirmed === 'suspended') done(new DomainError('account_suspended'));
          else if (confirmed === 'revoked') done(null, false);
          else {
            const identity: Identity = {
              realm,
              id: Number(claims.sub),
              ...confirmed,
              tokenId: claims.jti,
              tokenExpiresAt: claims.exp,
            };
            done(null, identity);
          }
        },
        (error: unknown) => done(error),
      );
    },
  );
}

/** Missing, expired, for another realm, or simply not ours. */
function refusal(
  req: Request,
  realm: Realm,
  keys: Record<Realm, KeyObject>,
  info: unknown,
): DomainError {
  const token = ExtractJwt.fromAuthHeaderAsBearerToken()(req);
  if (token === null) return new DomainError('token_missing');
  if (info instanceof jwt.TokenExpiredError) return new DomainError('token_expired');
  for (const other of REALMS) {
    if (other === realm) continue;
    try {
      jwt.verify(token, keys[other], { algorithms: ['HS256'], audience: AUDIENCE[other] });
      return new DomainError('wrong_realm');
    } catch (error) {
      if (!(error instanceof jwt.JsonWebTokenError)) throw error;
    }
  }
  return new DomainError('token_expired');
}
