import { useQueryClient } from '@tanstack/react-query';
import type { Tracker } from '../../../../client/routes.ts';
import { useWrite } from '../../../api.ts';
import { EditForm, ifMatch } from '../../../parts/edit-form.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { told } from '../../../parts/toast.ts';
import { one, save } from '../../../queries/advertiser/tracker.ts';
import { trackerTexts } from '../../../texts/advertiser/tracker.ts';
import {
  askOfTracker,
  TrackerFields,
  type TrackerValues,
  valuesOfTracker,
} from './tracker-form.tsx';

export function TrackerEdit({ row }: { row: Tracker }) {
  const t = useTexts(trackerTexts);
  const queries = useQueryClient();
  const { mutateAsync } = useWrite(save);
  return (
    <EditForm<TrackerValues, Tracker>
      route="PUT /api/advertiser/trackers/{id}"
      row={row}
      valuesOf={valuesOfTracker}
      names={{
        name: t.name,
        type: t.type,
        event_type: t.event,
        count_mode: t.count,
        conversion_value: t.value,
        attribution_window: t.window,
        validation_days: t.validation,
        postback_url: t.postbackUrl,
        require_sig: t.requireSig,
      }}
      reread={async () => await queries.fetchQuery({ ...one(row.id), staleTime: 0 })}
      save={async (values, version) => {
        const body = askOfTracker(values);
        await mutateAsync({ path: { id: row.id }, headers: ifMatch(version), body });
        told(t.saved);
      }}
    >
      <TrackerFields />
    </EditForm>
  );
}
