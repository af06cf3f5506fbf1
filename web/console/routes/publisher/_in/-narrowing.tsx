import { Pick, type Picked } from '../../../parts/pick.tsx';
import { stated } from '../../../parts/search.ts';
import { useTexts } from '../../../parts/texts.ts';
import { sitePick, zonePick } from '../../../queries/publisher/picks.ts';
import { common } from '../../../texts/common.ts';
import { report } from '../../../texts/report.ts';

export interface Narrowed {
  site_id?: number | undefined;
  zone_id?: number | undefined;
}

/** A report of one site or zone alone. */
export function Narrowing({
  search: { site_id: siteId, zone_id: zoneId },
  onChange,
}: {
  search: Narrowed;
  onChange: (next: Narrowed) => void;
}) {
  const t = useTexts(report);
  const c = useTexts(common);
  const numberOf = (picked: Picked | null): number | undefined =>
    picked === null ? undefined : Number(picked.value);
  return (
    <>
      <Pick
        label={t.dimensions.site}
        unset={c.all}
        source={sitePick()}
        value={siteId?.toString() ?? null}
        onPick={(picked) => onChange({ site_id: numberOf(picked), zone_id: undefined })}
      />
      <Pick
        label={t.dimensions.zone}
        unset={c.all}
        source={zonePick(stated({ site_id: siteId }))}
        value={zoneId?.toString() ?? null}
        onPick={(picked) => onChange({ zone_id: numberOf(picked) })}
      />
    </>
  );
}
