import { kycLifecycle } from '../../../domain/lifecycle/kyc.ts';
import type { Kyc } from '../../client/routes.ts';

/** Papers can be sent while none are looked at, and none are accepted. */
export const maySendPapers = ({ kyc_status: status }: Pick<Kyc, 'kyc_status'>): boolean =>
  kycLifecycle.moves.submit[status] !== undefined;
