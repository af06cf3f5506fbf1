import { useQuery } from '@tanstack/react-query';
import type { Zone } from '../../../../../client/routes.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Reasons } from '../../../../parts/reasons.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { one as siteOf } from '../../../../queries/publisher/site.ts';
import { placementReasons } from '../../../../texts/placement-reasons.ts';

/** Why nothing is shown in a zone, each reason with the way to mend it. */
export function WhyEmpty({ row }: { row: Zone }) {
  const t = useTexts(placementReasons);
  // Nobody looks at a site before it is proved: the reason alone does not say for what it waits.
  const waits = row.delivery_reasons.includes('SITE_PENDING');
  const { data: site } = useQuery({ ...siteOf(row.site_id), enabled: waits });
  const isUnproved = site !== undefined && site.verify_status !== 'VERIFIED';
  const named = (reason: string): string =>
    reason === 'SITE_PENDING' && isUnproved ? t.unproved : wordOf(t, reason);
  const toSite = (
    <ButtonLink
      to="/publisher/sites/$id"
      params={{ id: row.site_id }}
      size="compact-sm"
      variant="default"
    >
      {t.openSite}
    </ButtonLink>
  );
  return (
    <Reasons
      title={t.title}
      reasons={row.delivery_reasons.map((reason) => ({
        key: reason,
        text: named(reason),
        fix: reason.startsWith('SITE_') ? toSite : undefined,
      }))}
    />
  );
}
