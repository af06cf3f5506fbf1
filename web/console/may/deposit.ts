import { type DepositStatus, depositLifecycle } from '../../../domain/lifecycle/deposit.ts';

/** Until money arrived. */
export const mayCancel = (status: DepositStatus): 'tooLate' | null =>
  depositLifecycle.moves.cancel[status] === undefined ? 'tooLate' : null;
