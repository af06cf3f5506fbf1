import type { Filter } from '../../../parts/filters.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { states } from '../../../texts/states.ts';
import { AUDITS, STATUSES } from './inventory-states.ts';

/** The two states that every list of an advertiser can be narrowed by. */
export function useStateFilters(): Filter[] {
  const t = useTexts(inventory);
  const s = useTexts(states);
  return [
    {
      kind: 'choice',
      name: 'status',
      label: t.status,
      options: STATUSES.map((value) => ({ value, label: s[value] })),
    },
    {
      kind: 'choice',
      name: 'audit_status',
      label: t.review,
      options: AUDITS.map((value) => ({ value, label: s[value] })),
    },
  ];
}
