import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { FactorRow } from '../../db/tables/factor.ts';

/** Where a passkey is good: the console's own host. */
export interface RelyingParty {
  /** A domain name. */
  id: string;
  /** `https://host`. */
  origin: string;
}

interface Credential {
  id: string;
  transports: string[];
}

const NAME = 'Advertising platform';

/** The options, and in them the challenge, of a passkey that is to be made. */
export const passkeyCreation = async (
  { id: rpID }: RelyingParty,
  userName: string,
  excludeCredentials: Credential[],
): Promise<PublicKeyCredentialCreationOptionsJSON> =>
  await generateRegistrationOptions({
    rpName: NAME,
    rpID,
    userName,
    excludeCredentials,
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  });

/** The options of a passkey that is to be shown. */
export const passkeyRequest = async (
  { id: rpID }: RelyingParty,
  allowCredentials: Credential[],
): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  await generateAuthenticationOptions({ rpID, allowCredentials, userVerification: 'preferred' });

/** What to keep of a new passkey; undefined when the answer is not to this challenge, host or origin. */
export async function readNewPasskey(
  response: unknown,
  expectedChallenge: string,
  party: RelyingParty,
): Promise<(Credential & { publicKey: Uint8Array; counter: number }) | undefined> {
  const read = await refusable(
    verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      // Beside a password: having it is the second factor.
      requireUserVerification: false,
    }),
  );
  if (read?.verified !== true) return undefined;
  const { id, publicKey, counter, transports = [] } = read.registrationInfo.credential;
  return { id, publicKey, counter, transports };
}

/** The new count of signatures; undefined when the answer is not good, or of a copy that lags behind. */
export async function readPasskey(
  response: unknown,
  expectedChallenge: string,
  { party, factor }: { party: RelyingParty; factor: FactorRow },
): Promise<number | undefined> {
  const { credentialId, publicKey, signCount } = factor;
  if (credentialId === null || publicKey === null) return undefined;
  const read = await refusable(
    verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: credentialId,
        publicKey: new Uint8Array(publicKey),
        counter: signCount ?? 0,
      },
      requireUserVerification: false,
    }),
  );
  return read?.verified === true ? read.authenticationInfo.newCounter : undefined;
}

/** The library says no by raising, whatever it is that does not fit. */
const refusable = async <Result>(verified: Promise<Result>): Promise<Result | undefined> =>
  await verified.catch((error: unknown) => {
    if (error instanceof Error) return undefined;
    throw error;
  });
