import { placeOf, type SealedPlace } from '../../db/sealed-columns.ts';
import { verifySync } from 'otplib';
import type { FactorRow } from '../../db/tables/factor.ts';
import { TOTP_TOLERANCE_SECONDS } from '../../domain/second-factor.ts';
import type { ActivityDeps } from '../deps.ts';

export const totpPlaceOf = ({
  personType,
  personId,
  id,
}: Pick<FactorRow, 'personType' | 'personId' | 'id'>): SealedPlace =>
  placeOf('factors.sealed_secret', personType, personId, id);

/** The time step that a code is of; undefined when it fits none now, or one that was used (RFC 6238, 5.2). */
export function readTotp(
  { providers, clock }: Pick<ActivityDeps, 'providers' | 'clock'>,
  factor: Pick<FactorRow, 'personType' | 'personId' | 'id' | 'sealedSecret' | 'lastStep'>,
  code: string,
): number | undefined {
  const { sealedSecret, lastStep } = factor;
  if (sealedSecret === null || !/^\d{6}$/.test(code)) return undefined;
  const result = verifySync({
    secret: providers.sealer.open(sealedSecret, totpPlaceOf(factor)),
    token: code,
    epoch: Math.floor(clock().getTime() / 1_000),
    epochTolerance: TOTP_TOLERANCE_SECONDS,
  });
  if (!result.valid || !('timeStep' in result)) return undefined;
  return lastStep !== null && result.timeStep <= lastStep ? undefined : result.timeStep;
}
