import type { TrackerRow } from '../../db/tables/tracker.ts';
import { DomainError } from '../../domain/errors.ts';
import { isSignedBy } from '../../domain/tracking/postback.ts';
import type { ActivityDeps } from '../deps.ts';
import type { ConversionReport, ReportSignature } from './conversion-report.ts';
import { POSTBACK_SECRET_PLACE } from './postbacks.ts';

/** By the same secret that our own calls to the advertiser are signed with (postbacks.ts). */
export function isSignedByTracker(
  { providers }: Pick<ActivityDeps, 'providers'>,
  trackingCode: string,
  signature: ReportSignature | undefined,
): boolean {
  const secret = providers.blindIndex(trackingCode, POSTBACK_SECRET_PLACE);
  return isSignedBy(secret, signature?.text ?? '', signature?.sig);
}

/** Raises signature_bad where the tracker requires a signature and it is missing or wrong. */
export function requireSignature(
  deps: ActivityDeps,
  tracker: TrackerRow,
  { signature }: Pick<ConversionReport, 'signature'>,
): void {
  if (tracker.requireSig && !isSignedByTracker(deps, tracker.trackingCode, signature)) {
    throw new DomainError('signature_bad');
  }
}
