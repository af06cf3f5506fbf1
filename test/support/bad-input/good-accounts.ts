import type { Objects } from './catalogue.ts';
import type { Good } from './good.ts';
import { UNREADABLE } from './values.ts';

const PROFILE = {
  nickname: 'Nick',
  mobile: '+49 30 1234567',
  company_name: 'Storm Ltd',
  contact_name: 'Anna Storm',
  industry: 'retail',
};
const SITE_URL = { site_url: 'https://pages.example' };
const REGISTER = {
  email: 'new-person@example.com',
  password: 'long enough words 7',
  username: 'new_person',
};
const NEW_PASSWORD = {
  new_password: 'long enough words 8',
  confirm_password: 'long enough words 8',
};

/** What the three realms have alike; `realm` as the address has it. */
const ofEveryone = (realm: string, profile: object): Record<string, Good> => ({
  [`POST /api/${realm}/auth/login`]: {
    body: { username: 'nobody', password: 'no such password' },
    // Compared and never stored or shown; every name without an account answers the same 401.
    rules: { username: { takes: UNREADABLE } },
  },
  [`PUT /api/${realm}/auth/profile`]: { body: { ...profile } },
  [`POST /api/${realm}/saved-views`]: {
    body: { page: 'campaigns', name: 'Storm view', state: { columns: ['id'] }, is_default: true },
    // A console may call a page so.
    rules: { page: { takes: ['text'] } },
  },
  [`POST /api/${realm}/report-schedules`]: {
    body: {
      name: 'Storm report',
      group_by: 'date',
      filter: {},
      period: 'LAST_7_DAYS',
      timezone: 'Asia/Shanghai',
      figures: 'spend,clicks',
      format: 'xlsx',
      frequency: 'WEEKLY',
      weekday: 1,
      month_day: 31,
      hour: 8,
      is_paused: false,
    },
  },
  [`PUT /api/${realm}/preferences`]: {
    body: { language: 'zh', time_zone: 'Asia/Shanghai', theme: 'dark' },
  },
  [`POST /api/${realm}/auth/login/second-factor`]: {
    body: { ticket: 'no-such-ticket', code: '123456' },
  },
  [`POST /api/${realm}/auth/login/lost-factor`]: { body: { ticket: 'no-such-ticket' } },
  [`POST /api/${realm}/auth/step-up`]: { body: { ticket: 'no-such-ticket', code: '123456' } },
  [`POST /api/${realm}/auth/not-me`]: { body: { token: 'no-such-token' } },
  [`POST /api/${realm}/auth/forgot-password`]: { body: { email: 'nobody@example.com' } },
  [`POST /api/${realm}/auth/reset-password`]: { body: { token: 'no-such-token', ...NEW_PASSWORD } },
  [`POST /api/${realm}/auth/email-change`]: {
    body: { email: 'another-address@example.com', password: 'not the password' },
  },
  [`POST /api/${realm}/auth/confirm-email`]: {
    body: { token: 'no-such-token', password: 'not the password' },
  },
  [`POST /api/${realm}/auth/factors/totp`]: { body: { password: 'not the password' } },
  [`POST /api/${realm}/auth/factors/passkey`]: { body: { password: 'not the password' } },
  [`POST /api/${realm}/auth/factors/passkey/confirm`]: {
    body: { ticket: 'no-such-ticket', name: 'Key', response: { id: 'x' } },
  },
  [`POST /api/${realm}/auth/factors/:id/confirm`]: { body: { code: '123456', name: 'Phone' } },
  [`PUT /api/${realm}/auth/factors/:id`]: { body: { name: 'Phone' } },
  [`POST /api/${realm}/auth/password`]: {
    body: { old_password: 'long enough words 7', ...NEW_PASSWORD },
  },
});

const ofOwners = (realm: string, profile: object): Record<string, Good> => ({
  ...ofEveryone(realm, profile),
  [`POST /api/${realm}/auth/register`]: { body: { ...REGISTER, ...profile } },
  [`POST /api/${realm}/auth/invitation`]: { body: { token: 'no-such-token' } },
  [`POST /api/${realm}/auth/accept-invitation`]: {
    body: { token: 'no-such-token', name: 'Anna Storm', password: 'long enough words 7' },
  },
  [`POST /api/${realm}/members`]: {
    body: { email: `storm-${realm}-member@example.com`, role: 'VIEWER' },
  },
  [`POST /api/${realm}/webhooks`]: {
    body: { url: 'https://storm.example.com/hooks', kinds: ['review_decided'] },
  },
});

const submission = (documentId: number): Good => ({
  body: {
    entity_type: 'PERSONAL',
    legal_name: 'Anna Storm',
    country: 'DE',
    document_number: 'C01X00T47',
    document_expires_on: '2099-01-01',
    document_ids: [documentId],
  },
});

export const accountRequests = (own: Objects): Readonly<Record<string, Good>> => ({
  ...ofOwners('advertiser', PROFILE),
  ...ofOwners('publisher', { ...PROFILE, ...SITE_URL }),
  ...ofEveryone('admin', { nickname: 'Nick' }),
  ['POST /api/advertiser/kyc']: submission(own.advertiserKycDocument),
  ['POST /api/publisher/kyc']: submission(own.kycDocument),
  ...Object.fromEntries(
    ['advertisers', 'publishers'].flatMap((path) =>
      ['suspend', 'restore', 'hold-papers', 'release-papers'].map((move) => [
        `POST /api/admin/${path}/:id/${move}`,
        { body: { reason: 'because' } },
      ]),
    ),
  ),
});
