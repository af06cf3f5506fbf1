import type { RouteContract } from '../http/route.ts';
import { runner } from '../../db/postgres.ts';
import { findProfile, kindOfRealm } from '../../db/queries/accounts.ts';
import { DomainError } from '../../domain/errors.ts';
import { kycRequired } from '../../domain/lifecycle/kyc.ts';
import { missingFor } from '../../domain/lifecycle/profile.ts';
import type { ConsoleDeps } from '../deps.ts';
import { profileStateOf } from '../present/account.ts';
import { identityOf } from '../http/auth.ts';

type Gate = NonNullable<RouteContract['gate']>;

/** interface 7: campaign create and top-up need profile completeness `basic`, else 412. */
export function requireBasicProfile({ db }: Pick<ConsoleDeps, 'db'>): Gate {
  return async (req) => {
    const { realm, id, memberId } = identityOf(req);
    const person = { kind: kindOfRealm(realm), id, memberId };
    const profile = await findProfile(runner(db), person);
    if (profile === undefined) throw new DomainError('token_expired');
    const state = profileStateOf(profile);
    const missing = missingFor('basic', state);
    if (missing.length > 0) {
      throw new DomainError('profile_incomplete', {
        hints: { missing, profile_completeness: state.completeness, required: 'basic' },
      });
    }
  };
}

/**
 * interface 7: a withdrawal needs an approved identity and the names of a profile, else 412. Whether there is a
 * confirmed account of the channel that is asked for is for the request itself to find out.
 */
export function requireKyc({ db, config }: Pick<ConsoleDeps, 'db' | 'config'>): Gate {
  return async (req) => {
    const { realm, id, memberId } = identityOf(req);
    const person = { kind: kindOfRealm(realm), id, memberId };
    const profile = await findProfile(runner(db), person);
    if (profile === undefined) throw new DomainError('token_expired');
    const { completeness, missing } = profileStateOf(profile);
    const stands = missing.filter((item) => item !== 'payout_account');
    if (stands.length === 0) return;
    const kycUrl = `${config.urls.base}/api/${realm}/kyc`;
    const hints = { missing, profile_completeness: completeness };
    if (stands.includes('kyc')) throw kycRequired(profile.kycStatus, { kycUrl, ...hints });
    throw new DomainError('profile_incomplete', {
      hints: {
        requires_kyc: false,
        kyc_status: profile.kycStatus,
        kyc_url: kycUrl,
        ...hints,
      },
    });
  };
}
