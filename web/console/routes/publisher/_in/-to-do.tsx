import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PublisherProfile, Site, Zone } from '../../../../client/routes.ts';
import { ofAccountsProfile } from '../../../may/member.ts';
import { fixLink } from '../../../parts/fix-link.tsx';
import { useEmailNeed } from '../../../parts/email-need.tsx';
import { Reasons } from '../../../parts/reasons.tsx';
import { type Same, useTexts } from '../../../parts/texts.ts';
import { profile } from '../../../queries/publisher/account.ts';
import { publisher } from '../../../texts/publisher.ts';
import type { StepKey } from './-first-steps-of.ts';
import { SITES, ZONES } from './-needed.ts';

type Words = Same<(typeof publisher)['en']>;

interface Need {
  key: string;
  text: string;
  to: string;
  fix: string;
  /** What its page is opened for, where it can be read too. */
  changes?: string | undefined;
  /** The step of the path that says it, while it is not done. */
  step?: StepKey | undefined;
}

const VERIFY = 'POST /api/publisher/sites/{id}/verify';
const OBJECT = 'POST /api/publisher/sites/{id}/transfer/object';
const NEW_ZONE = 'POST /api/publisher/zones';
const PROVE = 'POST /api/publisher/kyc';

/** As many as somebody reads at once: the next ones come when these are mended. */
const SHOWN_MAX = 5;

/**
 * What stands between this account and money that arrives, each with the page that mends it. What the path of
 * a new account says as its next things is not said again.
 */
export function ToDo({ open }: { open: ReadonlySet<StepKey> }) {
  const t = useTexts(publisher);
  const { data: who } = useQuery(profile);
  const { data: sites } = useQuery(SITES);
  const { data: zones } = useQuery(ZONES);
  const emailNeed = useEmailNeed('publisher', who);
  if (who === undefined || sites === undefined || zones === undefined) return null;
  const all: Need[] = [
    ...siteNeeds(
      sites.items.filter(({ status }) => status !== 'ARCHIVED'),
      zones.items,
      t,
    ),
    ...zones.items
      .filter(({ audit_status: audit, status }) => audit === 'REJECTED' && status !== 'ARCHIVED')
      .map(({ id, name }) => ({
        key: `zone ${id}`,
        text: t.zoneRejected(name),
        to: `/publisher/zones/${id}`,
        fix: t.seeWhy,
      })),
    ...accountNeeds(who, t),
  ];
  const needs = all.filter(({ step }) => step === undefined || !open.has(step));
  const rest = needs.length - SHOWN_MAX;
  const more = rest > 0 ? [{ key: 'more', text: t.more(rest) }] : [];
  const isNothing = needs.length + emailNeed.length === 0;
  if (isNothing && open.size > 0) return null;
  return isNothing ? (
    <Text c="dimmed">{t.nothingNeedsMe}</Text>
  ) : (
    <Reasons
      title={t.whatNeedsMe}
      reasons={[...emailNeed, ...needs.slice(0, SHOWN_MAX).map(reasonOf), ...more]}
    />
  );
}

const reasonOf = ({ key, text, to, fix, changes }: Need) => ({
  key,
  text,
  fix: fixLink(to, fix, changes),
});

function siteNeeds(sites: readonly Site[], zones: readonly Zone[], t: Words): Need[] {
  if (sites.length === 0) {
    const to = '/publisher/sites/new';
    return [{ key: 'site', text: t.needsSite, to, fix: t.addSite, step: 'site' }];
  }
  const withZones = new Set(zones.map(({ site_id: id }) => id));
  return sites.flatMap((site): Need[] => {
    const { id, name } = site;
    const at = (text: string, fix: string, changes?: string, step?: StepKey): Need[] => [
      { key: `site ${id}`, text, to: `/publisher/sites/${id}`, fix, changes, step },
    ];
    if (site.transfer?.role === 'HOLDER' && site.transfer.objected_at === null) {
      return at(t.needsAnswer(site.transfer.domain), t.answer, OBJECT);
    }
    if (site.audit_status === 'REJECTED') return at(t.siteRejected(name), t.seeWhy);
    if (site.verify_misses > 0) return at(t.needsProofAgain(name), t.verify, VERIFY);
    if (site.verify_status !== 'VERIFIED') return at(t.needsProof(name), t.verify, VERIFY, 'site');
    const isEmpty = site.audit_status === 'APPROVED' && !withZones.has(id);
    return isEmpty ? at(t.needsZone(name), t.newZone, NEW_ZONE, 'zone') : [];
  });
}

function accountNeeds({ kyc_status: kyc, missing }: PublisherProfile, t: Words): Need[] {
  const isNameless = missing.includes('contact_name') || missing.includes('company_name_or_mobile');
  const proof = { none: t.needsKyc, rejected: t.kycRejected, expired: t.kycExpired };
  const needs: (Need | false)[] = [
    isNameless && {
      key: 'basic',
      text: t.needsBasic,
      to: '/publisher/profile',
      fix: t.completeProfile,
      changes: ofAccountsProfile('publisher'),
      step: 'details',
    },
    kyc !== 'pending' &&
      kyc !== 'approved' && {
        key: 'kyc',
        text: proof[kyc],
        to: '/publisher/kyc',
        fix: t.prove,
        changes: PROVE,
        ...(kyc === 'none' && { step: 'identity' }),
      },
    missing.includes('payout_account') && {
      key: 'account',
      text: t.needsAccount,
      to: '/publisher/payouts/accounts/new',
      fix: t.addAccount,
      step: 'account',
    },
  ];
  return needs.filter((need) => need !== false);
}
