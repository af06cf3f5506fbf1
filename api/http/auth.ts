import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import jwt from 'jsonwebtoken';
import { Passport } from 'passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { DomainError } from '../../domain/errors.ts';
import type { PersonRole } from '../../domain/member.ts';
import type { Person } from '../../domain/person.ts';
import { isProven } from '../../domain/second-factor.ts';

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
  /** sessions.id; null where the token is of before sessions were kept. */
  sessionId: number | null;
  lastSeenAt: Date | null;
  /** When a second factor was last shown in this session. */
  provenAt: Date | null;
  hasFactor: boolean;
  /** A second factor has to be shown again before money, settings or people (interface 5.17). */
  mustProve: boolean;
  /** A second factor is a duty here, and there is none yet. */
  mustEnrol: boolean;
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
) => Promise<
  | Omit<Identity, 'realm' | 'id' | 'tokenId' | 'tokenExpiresAt' | 'mustProve' | 'mustEnrol'>
  | 'revoked'
  | 'suspended'
>;

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
  tokenId: string;
  token: string;
  token_type: 'Bearer';
  expires_in: number;
}

export interface AuthOptions {
  keys: Record<Realm, Buffer>;
  confirm: ConfirmToken;
  newTokenId: () => string;
  clock: () => Date;
  /** Realms in which a second factor is a duty. */
  factorIsDuty: (realm: Realm) => boolean;
  /** Told of the first request of a session in a while. */
  onSeen: (sessionId: number) => void;
}

const identities = new WeakMap<Request, Identity>();

/** Undefined before `auth.require` has let somebody in. */
export const knownIdentityOf = (req: Request): Identity | undefined => identities.get(req);

/** Identity of a request that passed `auth.require`. */
export function identityOf(req: Request): Identity {
  const identity = identities.get(req);
  if (identity === undefined) throw new Error('route is not behind auth.require');
  return identity;
}

/** One word per person of a realm: what is theirs alone is kept under it. */
export const personKeyOf = ({ id, memberId }: Pick<Identity, 'id' | 'memberId'>): string =>
  memberId === null ? String(id) : `${id}/${memberId}`;

/** Whose saved views and preferences these are. */
export function personOf({ realm, id, memberId }: Identity): Person {
  if (memberId !== null) return { personType: 'MEMBER', personId: memberId };
  return { personType: realm === 'admin' ? 'OPERATOR' : 'ACCOUNT', personId: id };
}

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
  for (const realm of REALMS) passport.use(realm, strategy(realm, keys[realm], options));

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
        if (isNews(identity, options.clock()) && identity.sessionId !== null) {
          options.onSeen(identity.sessionId);
        }
        next();
      };
      (passport.authenticate(realm, { session: false }, done) as RequestHandler)(req, res, next);
    },
    issue: (realm, { id, memberId, tokenVersion }) => {
      const tokenId = options.newTokenId();
      const token = jwt.sign(claimsOf(tokenVersion, memberId), keys[realm], {
        algorithm: 'HS256',
        subject: String(id),
        audience: AUDIENCE[realm],
        issuer: 'adplatform',
        jwtid: tokenId,
        expiresIn: TOKEN_TTL_SECONDS,
      });
      return { tokenId, token, token_type: 'Bearer', expires_in: TOKEN_TTL_SECONDS };
    },
  };
}

const SEEN_AGAIN_MS = 60_000;
const isNews = ({ lastSeenAt }: Identity, now: Date): boolean =>
  lastSeenAt !== null && now.getTime() - lastSeenAt.getTime() > SEEN_AGAIN_MS;

const claimsOf = (ver: number, memberId: number | null | undefined) =>
  memberId === undefined || memberId === null ? { ver } : { ver, mem: memberId };

function strategy(realm: Realm, key: KeyObject, options: AuthOptions): Strategy {
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
      options.confirm(realm, claims).then(
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
              mustProve: confirmed.hasFactor && !isProven(confirmed.provenAt, options.clock()),
              mustEnrol: options.factorIsDuty(realm) && !confirmed.hasFactor,
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
