import { useWrite } from '../../../../api.ts';
import { BulkBar, type BulkOutcome } from '../../../../parts/bulk-bar.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { bulk } from '../../../../queries/publisher/zone.ts';
import { zone } from '../../../../texts/zone.ts';

/** What can be done to many zones at once. */
export function ZoneBulk(props: {
  chosen: ReadonlySet<number>;
  onChoose: (ids: ReadonlySet<number>) => void;
  nameOf: (id: number) => string;
}) {
  const t = useTexts(zone);
  const { mutateAsync } = useWrite(bulk);
  return (
    <BulkBar
      {...props}
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
