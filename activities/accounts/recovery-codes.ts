import { randomBytes } from 'node:crypto';
import type { Transaction } from 'sequelize';
import type { Person } from '../../domain/person.ts';
import { RECOVERY_CODES } from '../../domain/second-factor.ts';
import type { ActivityDeps } from '../deps.ts';
import { hashOfToken } from './secret-tokens.ts';

const CODE_BYTES = 15;
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/** 120 random bits as six groups of four: nobody guesses them, or finds them by their hash. */
export function newCode(): string {
  const bits = [...randomBytes(CODE_BYTES)]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
  const letters = bits.match(/.{5}/g)?.map((five) => ALPHABET[parseInt(five, 2)]) ?? [];
  return letters.join('').match(/.{4}/g)?.join('-') ?? '';
}

/** Ten new ones, as their person sees them this once; those before are void. */
export async function writeCodes(
  deps: ActivityDeps,
  tx: Transaction,
  person: Person,
): Promise<string[]> {
  const { recoveryCodes } = deps.db.models;
  await recoveryCodes.destroy({ where: { ...person }, transaction: tx });
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  await recoveryCodes.bulkCreate(
    codes.map((code) => ({
      ...person,
      codeHash: hashOfToken(code),
      createdAt: deps.clock(),
    })),
    { transaction: tx },
  );
  return codes;
}
