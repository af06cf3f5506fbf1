import { MEMBER_ROUTES } from '../../client/member-routes.ts';

/** What a person of an account may do, by their role in it (interface 5.6). */
export type MemberRole = 'ADMIN' | 'EDITOR' | 'FINANCE' | 'VIEWER';
type Route = keyof typeof MEMBER_ROUTES;

const ROLES: Readonly<Record<string, readonly string[]>> = MEMBER_ROUTES;

/**
 * What the buttons of the pages below an address change. Null: nothing, or only what every role may.
 * A page that changes more than one thing names the route where it differs.
 */
const PAGE_WRITES: Readonly<Record<string, Readonly<Record<string, Route | null>>>> = {
  advertiser: {
    home: null,
    reports: null,
    history: null,
    profile: null,
    security: null,
    documents: null,
    media: 'POST /api/advertiser/media/upload',
    money: 'POST /api/advertiser/deposits',
    kyc: 'POST /api/advertiser/kyc',
    team: 'POST /api/advertiser/members',
    notifications: 'POST /api/advertiser/notifications/read',
    webhooks: 'POST /api/advertiser/webhooks',
    else: 'POST /api/advertiser/campaigns',
  },
  publisher: {
    home: null,
    reports: null,
    removed: 'POST /api/publisher/removal-appeals',
    history: null,
    profile: null,
    security: null,
    documents: null,
    payouts: 'POST /api/publisher/withdrawals',
    kyc: 'POST /api/publisher/kyc',
    team: 'POST /api/publisher/members',
    notifications: 'POST /api/publisher/notifications/read',
    webhooks: 'POST /api/publisher/webhooks',
    else: 'POST /api/publisher/zones',
  },
};

/** Of a profile all but what somebody is shown as is the account's, and for those to change who change its team. */
export const ofAccountsProfile = (realm: 'advertiser' | 'publisher'): Route =>
  `POST /api/${realm}/members`;

export function routeOfPage(address: string): string | null {
  const { realm = '', section = 'home' } =
    /\/(?<realm>advertiser|publisher)(?:\/(?<section>[\w-]+))?/.exec(address)?.groups ?? {};
  const pages = PAGE_WRITES[realm] ?? {};
  return (section in pages ? pages[section] : pages['else']) ?? null;
}

/** Null, or the roles that may call what this one may not. */
export function rolesInstead(role: string, route: string | null): readonly MemberRole[] | null {
  const roles = route === null ? undefined : ROLES[route];
  if (roles === undefined || roles.includes(role)) return null;
  return roles as readonly MemberRole[];
}
