import type { TrackerRow } from '../../db/tables/tracker.ts';
import { DomainError } from '../../domain/errors.ts';
import { isSignedBy } from '../../domain/tracking/postback.ts';
import type { ActivityDeps } from '../deps.ts';
import type { ConversionReport } from './conversion-report.ts';
import { POSTBACK_SECRET_PLACE } from './postbacks.ts';

/**
 * By the same secret that our own calls to the advertiser are signed with (postbacks.ts). Raises
 * signature_bad where the tracker requires a signature and it is missing or wrong.
 */
export function requireSignature(
  deps: ActivityDeps,
  tracker: TrackerRow | undefined,
  { signature }: Pick<ConversionReport, 'signature'>,
): void {
  if (tracker?.requireSig !== true) return;
  const secret = deps.providers.blindIndex(tracker.trackingCode, POSTBACK_SECRET_PLACE);
  if (!isSignedBy(secret, signature?.text ?? '', signature?.sig)) {
    throw new DomainError('signature_bad');
  }
}
