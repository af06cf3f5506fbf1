import { queryClient } from '../../../api.ts';
import type { OwnField } from '../../../parts/filters.tsx';
import { Pick, type PickSource } from '../../../parts/pick.tsx';
import { list, one } from '../../../queries/advertiser/tracker.ts';

const TRACKERS: PickSource = {
  key: 'tracker',
  find: async (keyword) =>
    (await queryClient.fetchQuery(list({ keyword }))).items.map(({ id, name }) => ({
      value: String(id),
      label: name,
    })),
  nameOf: async (id) => (await queryClient.fetchQuery(one(Number(id)))).name,
};

/** A filter of a list: one's own tracker, chosen by name. */
export function TrackerPick({ name, label, values, onChange }: OwnField) {
  return (
    <Pick
      label={label}
      source={TRACKERS}
      value={values[name]?.toString() ?? null}
      onPick={(picked) => onChange({ [name]: picked?.value })}
    />
  );
}
