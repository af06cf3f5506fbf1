import type { Zone } from '../../../../../client/routes.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Reasons } from '../../../../parts/reasons.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { placementReasons } from '../../../../texts/placement-reasons.ts';

/** Why nothing is shown in a zone, each reason with the way to mend it. */
export function WhyEmpty({ row }: { row: Zone }) {
  const t = useTexts(placementReasons);
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
        text: wordOf(t, reason),
        fix: reason.startsWith('SITE_') ? toSite : undefined,
      }))}
    />
  );
}
