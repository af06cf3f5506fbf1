import { useQuery } from '@tanstack/react-query';
import type { Site } from '../../../../../client/routes.ts';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { Steps } from '../../../../parts/steps.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { formatTime } from '../../../../parts/time.tsx';
import { list as listZones } from '../../../../queries/publisher/zone.ts';
import { site } from '../../../../texts/site.ts';

type Words = Same<(typeof site)['en']>;

/** Declare, verify, review, zones: how far this site is. */
export function Path({ row }: { row: Site }) {
  const t = useTexts(site);
  const { language, timeZone } = usePreferences();
  const { data: zones } = useQuery(listZones({ site_id: row.id, page_size: 50 }));
  const made = zones?.total ?? 0;
  const isApproved = row.audit_status === 'APPROVED';
  return (
    <Steps
      label={t.path}
      steps={[
        {
          key: 'declare',
          title: t.stepDeclare,
          state: t.declared(formatTime(row.created_at, language, timeZone)),
          isDone: true,
        },
        {
          key: 'verify',
          title: t.stepVerify,
          state: verifying(row, t),
          isDone: row.verify_status === 'VERIFIED',
        },
        { key: 'review', title: t.stepReview, state: reviewing(row, t), isDone: isApproved },
        {
          key: 'zones',
          title: t.stepZones,
          state: made > 0 ? t.zonesCount(made) : isApproved ? t.makeZone : t.toZones,
          isDone: made > 0,
        },
      ]}
    />
  );
}

function verifying({ verify_status: status, verification }: Site, t: Words): string {
  if (status === 'VERIFIED') return t.verified;
  if (verification?.status === 'RUNNING') return t.verifying;
  return status === 'LAPSED' ? t.lapsed : t.toVerify;
}

function reviewing({ audit_status: audit, verify_status: proof }: Site, t: Words): string {
  if (audit === 'APPROVED') return t.approved;
  if (audit === 'REJECTED') return t.rejected;
  if (audit === 'SUSPENDED') return t.suspended;
  return proof === 'VERIFIED' ? t.inReview : t.toReview;
}
