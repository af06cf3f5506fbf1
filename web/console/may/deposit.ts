import {
  DEPOSIT_METHODS,
  type DepositMethod,
  type DepositStatus,
  depositLifecycle,
  OPERATOR_CONFIRMED_METHODS,
} from '../../../domain/lifecycle/deposit.ts';

/** Methods in the order in which they are offered, the usable ones first. */
export const METHODS: readonly DepositMethod[] = DEPOSIT_METHODS.toSorted(
  (one, other) => Number(mayPayBy(one) !== null) - Number(mayPayBy(other) !== null),
);

/** A method without its provider is refused by the API, so it is not offered. */
export function mayPayBy(method: DepositMethod): 'notConfigured' | null {
  return OPERATOR_CONFIRMED_METHODS.includes(method) ? null : 'notConfigured';
}

/** Until money arrived. */
export const mayCancel = (status: DepositStatus): 'tooLate' | null =>
  depositLifecycle.moves.cancel[status] === undefined ? 'tooLate' : null;
