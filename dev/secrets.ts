import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { DemoAccounts } from './seed-accounts.ts';
import { makeSandboxKeys } from './sandboxes/stand.ts';
import { makeKeys } from './services/platform-processes.ts';
import { isRecord, parse, writeJson } from './services/records.ts';

/** Made once per stand; `.data/secrets.json` is readable by its owner only. */
export interface Secrets {
  keys: Record<string, string>;
  accounts: DemoAccounts;
  /** Of the application's role. */
  databasePassword: string;
}

export function loadSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json');
  const existing = parse(file, isSecrets);
  // A stand made before a key was known gets that key now, and keeps the others.
  if (existing) {
    const kept = {
      databasePassword: newDatabasePassword(),
      ...existing,
      keys: { ...makeKeys(), ...makeSandboxKeys(), ...existing.keys },
    };
    writeJson(file, kept);
    return kept;
  }
  const login = (username: string) => ({
    username,
    password: randomBytes(9).toString('base64url'),
  });
  const secrets: Secrets = {
    keys: { ...makeKeys(), ...makeSandboxKeys() },
    accounts: {
      admin: login('admin'),
      reviewer: login('reviewer'),
      finance: login('finance'),
      support: login('support'),
      advertiser: login('advertiser'),
      publisher: login('publisher'),
    },
    databasePassword: newDatabasePassword(),
  };
  writeJson(file, secrets);
  return secrets;
}

const newDatabasePassword = (): string => randomBytes(18).toString('base64url');

function isSecrets(value: unknown): value is Omit<Secrets, 'databasePassword'> {
  return isRecord(value) && isRecord(value['keys']) && isRecord(value['accounts']);
}
