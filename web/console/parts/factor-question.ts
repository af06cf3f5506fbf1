import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { ApiError } from '../../client/client.ts';

/** What second factors somebody can show, and the ticket that the answer goes with. */
export interface FactorQuestion {
  ticket: string;
  methods: readonly ('totp' | 'passkey' | 'recovery_code')[];
  passkey: PublicKeyCredentialRequestOptionsJSON | null;
}

/** Out of the refusal of a login; undefined where that is another one. */
export function questionIn(error: unknown): FactorQuestion | undefined {
  if (!(error instanceof ApiError) || error.token !== 'second_factor_required') return undefined;
  return error.hints as unknown as FactorQuestion;
}
