import type { Ad } from '../../../../client/routes.ts';
import { ButtonLink } from '../../../parts/button-link.tsx';
import { linkTo } from '../../../parts/link-to.ts';
import { ReviewReasons } from '../../../parts/review-reasons.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { INVENTORY, type Level } from '../../../queries/advertiser/inventory.ts';
import { PAGES } from '../../../queries/advertiser/inventory-pages.ts';
import { delivery } from '../../../texts/advertiser/delivery.ts';

/** What reviewers say of one of the four, with the button that leads to its mending: first on its page. */
export function Rejection({
  level,
  row,
  isEdited,
}: {
  level: Level;
  row: Pick<Ad, 'id' | 'status' | 'audit_status' | 'audit_reasons'>;
  /** Its form stands open below. */
  isEdited: boolean;
}) {
  const t = useTexts(delivery);
  const isMended = row.audit_status === 'REJECTED' && row.status !== 'ARCHIVED';
  return (
    <ReviewReasons
      realm="advertiser"
      subject={level}
      reasons={row.audit_reasons}
      mend={
        isMended && !isEdited ? (
          <ButtonLink
            {...linkTo(`${PAGES[level]}/${row.id}?edit=1`)}
            changes={INVENTORY[level].save.route}
            size="compact-sm"
          >
            {t.mend}
          </ButtonLink>
        ) : undefined
      }
    />
  );
}
