import { type Term, terms } from '../../../../queries/operator/term.ts';

export type TermScope = Pick<Term, 'kind' | 'publisher_id' | 'country' | 'entity_type'>;

/** What there is of a kind, to see what holds today. */
export const termsOf = ({ kind }: TermScope) => terms({ kind, page_size: 100 });

/** What holds today for the same whom; a publisher who has agreed none has the share of all. */
export function inForce(
  of: readonly Term[] | undefined,
  scope: TermScope,
): { percent: number; isOfAll: boolean } | null {
  const heldBy = (publisher: number | null): Term | undefined =>
    of?.find(
      (each) =>
        each.in_force &&
        each.publisher_id === publisher &&
        each.country === scope.country &&
        each.entity_type === scope.entity_type,
    );
  const own = heldBy(scope.publisher_id);
  const held = own ?? heldBy(null);
  return held === undefined ? null : { percent: held.percent, isOfAll: own === undefined };
}
