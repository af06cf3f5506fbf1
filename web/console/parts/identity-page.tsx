import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Kyc } from '../../client/routes.ts';
import { kyc } from '../texts/kyc.ts';
import { ButtonLink } from './button-link.tsx';
import { countryName } from './countries.ts';
import { Facts } from './facts.tsx';
import { IdentityForm } from './identity-form.tsx';
import { identityOf, type Owner } from './identity.ts';
import { Loaded } from './loaded.tsx';
import { Page } from './page.tsx';
import { usePreferences } from './preferences.tsx';
import { ReviewReasons } from './review-reasons.tsx';
import { State } from './state.tsx';
import { SubjectTimeline } from './subject-timeline.tsx';
import { useTexts } from './texts.ts';
import { formatDay, When } from './time.tsx';

const TONES = {
  none: 'blue',
  pending: 'yellow',
  approved: 'teal',
  rejected: 'red',
  expired: 'red',
} as const;

/** Who somebody is: to be proven, being looked at, proven or sent back. `next` is where they came from. */
export function IdentityPage({ realm, next }: { realm: Owner; next?: string | undefined }) {
  const t = useTexts(kyc);
  return (
    <Loaded query={identityOf(realm).state} height={300}>
      {(row) => (
        <Page title={t.title} lead={t.lead} beside={<State state={row.kyc_status} />}>
          <Alert color={TONES[row.kyc_status]} variant="light" maw="44rem" role="status">
            <Text size="sm">{t[row.kyc_status]}</Text>
            <Renewal row={row} />
            {next !== undefined &&
              (row.kyc_status === 'approved' || row.kyc_status === 'pending') && (
                <ButtonLink to={next as '/'} size="compact-sm" variant="default" mt="xs">
                  {t.back}
                </ButtonLink>
              )}
          </Alert>
          <Sent row={row} realm={realm} />
          {canSend(row) && <IdentityForm key={row.round} realm={realm} row={row} />}
        </Page>
      )}
    </Loaded>
  );
}

/** As long as what stands holds, it can be renewed near its end; a renewal that is looked at is not asked for twice. */
function canSend(row: Kyc): boolean {
  if (row.kyc_status !== 'approved') return row.kyc_status !== 'pending';
  return isRenewable(row) && row.round_status !== 'PENDING';
}

const isRenewable = ({ renewable_from: from }: Kyc): boolean =>
  from !== null && Date.parse(from) <= Date.now();

function Renewal({ row }: { row: Kyc }) {
  const t = useTexts(kyc);
  if (row.kyc_status !== 'approved' || row.valid_until === null) return null;
  const at = isRenewable(row) ? row.valid_until : row.renewable_from;
  const said =
    row.round_status === 'PENDING' ? t.renewing : isRenewable(row) ? t.renewNow : t.renewFrom;
  return (
    <Text size="sm">
      {said} <When at={at ?? null} />
    </Text>
  );
}

/** What was sent last, and how the looking goes. */
function Sent({ row, realm }: { row: Kyc; realm: Owner }) {
  const t = useTexts(kyc);
  const { language } = usePreferences();
  if (row.round === null) return null;
  const { document_expires_on: expires } = row;
  const fields: Record<string, string> = {
    legal_name: t.legalName,
    country: t.country,
    document_number: t.number,
    document_expires_on: t.expires,
    document_ids: t.papers,
  };
  return (
    <>
      <ReviewReasons realm={realm} subject="kyc" reasons={row.reasons} fields={fields} />
      <Facts
        rows={[
          [t.who, row.entity_type === null ? null : t[row.entity_type]],
          [row.entity_type === 'BUSINESS' ? t.legalNameBusiness : t.legalName, row.legal_name],
          [t.country, row.country === null ? null : countryName(row.country, language)],
          [row.entity_type === 'BUSINESS' ? t.numberBusiness : t.number, row.document_number],
          [t.expires, expires === null ? null : formatDay(expires, language)],
          [t.papers, row.documents.length],
          [t.submitted, <When key="submitted" at={row.submitted_at} />],
          [t.decided, <When key="decided" at={row.decided_at} />],
          [t.validUntil, <When key="until" at={row.expires_at} />],
        ]}
      />
      {(row.kyc_status === 'pending' || row.round_status === 'PENDING') && (
        <Progress realm={realm} />
      )}
    </>
  );
}

function Progress({ realm }: { realm: Owner }) {
  const { rounds, stale } = identityOf(realm);
  const { data } = useQuery(rounds);
  const newest = data?.items.toSorted((one, other) => other.id - one.id)[0];
  if (newest === undefined || newest.subject === null) return null;
  return <SubjectTimeline realm={realm} subject="kyc" id={newest.subject.id} stale={stale} />;
}
