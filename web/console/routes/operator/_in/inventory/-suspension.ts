import { useWrite } from '../../../../api.ts';
import { useTexts } from '../../../../parts/texts.ts';
import {
  type InventoryPage,
  restoreSite,
  suspendSite,
} from '../../../../queries/operator/inventory.ts';
import { operatorInventory } from '../../../../texts/operator-inventory.ts';
import { useNoted } from './-noted.tsx';

/** Of a site alone: out of serving until somebody restores it, without a review. */
export function useSuspension(row: InventoryPage) {
  const t = useTexts(operatorInventory);
  const path = { id: row.id };
  const suspend = useWrite(suspendSite);
  const restore = useWrite(restoreSite);
  const suspension = useNoted({
    label: t.suspend,
    danger: true,
    route: 'POST /api/admin/inventory/sites/{id}/suspend',
    refusal: row.audit_status === 'APPROVED' ? null : t.notToSuspend,
    title: t.suspendTitle(row.name),
    help: t.suspendHelp,
    send: async (note) => await suspend.mutateAsync({ path, body: { note } }),
    done: t.suspended,
  });
  const restoration = useNoted({
    label: t.restore,
    route: 'POST /api/admin/inventory/sites/{id}/restore',
    refusal: null,
    title: t.restoreTitle(row.name),
    help: t.restoreHelp,
    send: async (note) => await restore.mutateAsync({ path, body: { note } }),
    done: t.restored,
  });
  if (row.type !== 'site') return [];
  return [row.audit_status === 'SUSPENDED' ? restoration : suspension];
}
