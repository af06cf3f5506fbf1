import type { Ad, Creative } from '../../../../client/routes.ts';
import { useWrite } from '../../../api.ts';
import { mayArchive, maySubmit, maySubmitCreative, mayToggle } from '../../../may/inventory.ts';
import type { Action } from '../../../parts/action.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { INVENTORY, type Level } from '../../../queries/advertiser/inventory.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { useSubmit } from './use-submit.ts';

export type Bought = Pick<Ad, 'id' | 'name' | 'status' | 'audit_status'>;

/** What its owner may do with one of the four, drawn by pages and lists alike. */
export function useInventoryActions(level: Level, row: Bought) {
  const t = useTexts(inventory);
  const toggling = useWrite(INVENTORY[level].toggle);
  const submitIt = useSubmit(level);
  const archiving = useWrite(INVENTORY[level].archive);
  const path = { id: row.id };
  const words = (reason: keyof typeof t.refusals | null): string | null =>
    reason === null ? null : t.refusals[reason];
  const isActive = row.status === 'ACTIVE';
  const toggle: Action = {
    label: isActive ? t.pause : t.resume,
    route: INVENTORY[level].toggle.route,
    refusal: words(mayToggle(row)),
    run: async () => await toggling.mutateAsync({ path }),
    done: isActive ? t.paused : t.resumed,
  };
  const submit: Action = {
    label: t.submit,
    route: INVENTORY[level].submit.route,
    refusal: words('creative_type' in row ? maySubmitCreative(row as Creative) : maySubmit(row)),
    run: async () => await submitIt(row),
  };
  const archive: Action = {
    label: t.archive,
    route: INVENTORY[level].archive.route,
    refusal: words(mayArchive(row)),
    confirm: { title: t.archiveTitle(row.name), body: t.archiveBody },
    run: async () => await archiving.mutateAsync({ path }),
    done: t.archived,
    danger: true,
  };
  return { toggle, submit, archive };
}
