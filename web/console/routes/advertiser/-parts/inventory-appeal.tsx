import { useWrite } from '../../../api.ts';
import { Appeal } from '../../../parts/appeal.tsx';
import { INVENTORY, type Level } from '../../../queries/advertiser/inventory.ts';
import type { Ad } from '../../../../client/routes.ts';

/** Against the rejection of one of the four. */
export function InventoryAppeal({
  level,
  row,
}: {
  level: Level;
  row: Pick<Ad, 'id' | 'status' | 'audit_status' | 'appeal'>;
}) {
  const { appeal } = INVENTORY[level];
  const { mutateAsync } = useWrite(appeal);
  return (
    <Appeal
      row={row}
      route={appeal.route}
      send={async (text) => await mutateAsync({ path: { id: row.id }, body: { text } })}
    />
  );
}
