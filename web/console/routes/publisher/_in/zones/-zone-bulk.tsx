import type { Zone } from '../../../../../client/routes.ts';
import { useQuery } from '@tanstack/react-query';
import { useWrite } from '../../../../api.ts';
import { BulkBar, type BulkOutcome } from '../../../../parts/bulk-bar.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { bulk, type list } from '../../../../queries/publisher/zone.ts';
import { zone } from '../../../../texts/zone.ts';

/** What can be done to many zones at once. */
export function ZoneBulk({
  query,
  chosen,
  onChoose,
}: {
  /** The list that they were chosen in. */
  query: ReturnType<typeof list>;
  chosen: ReadonlySet<number>;
  onChoose: (ids: ReadonlySet<number>) => void;
}) {
  const t = useTexts(zone);
  const { data } = useQuery(query);
  const { mutateAsync } = useWrite(bulk);
  const nameOf = (id: number): string =>
    data?.items.find((row: Zone) => row.id === id)?.name ?? `#${id}`;
  return (
    <BulkBar
      {...{ chosen, onChoose, nameOf }}
      route={bulk.route}
      actions={[
        { name: 'pause', label: t.pause },
        { name: 'resume', label: t.resume },
        { name: 'submit_audit', label: t.submit },
        { name: 'archive', label: t.archive },
        { name: 'set_floor_price_cpm', label: t.setFloorCpm, isValued: true },
        { name: 'set_floor_price_cpc', label: t.setFloorCpc, isValued: true },
      ]}
      run={async (body) => (await mutateAsync({ body })) as BulkOutcome}
    />
  );
}
