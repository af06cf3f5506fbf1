import type { Filter } from '../../../../parts/filters.tsx';
import type { Same } from '../../../../parts/texts.ts';
import type { desk } from '../../../../texts/desk.ts';

/** Of whoever decides something: the others' work as well. */
export const scopeOf = (t: Same<(typeof desk)['en']>): Filter => ({
  kind: 'choice',
  name: 'scope',
  label: t.kind,
  options: [{ value: 'all', label: t.everyKind }],
  unset: t.allKinds,
});
