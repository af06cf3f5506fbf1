import { type BlindIndex, createBlindIndex } from '../../db/blind-index.ts';
import {
  type ColumnSealer,
  createColumnSealer,
  type DataKey,
  type OnOpening,
} from '../../db/sealed-columns.ts';
import { createFileMediaStore, type MediaStore } from '../../db/files/media-store.ts';
import { createPrivateStore, type PrivateStore } from '../../db/files/private-store.ts';
import { createExportStore, type ExportStore } from '../../db/files/export-store.ts';
import { createDocumentSigner, type DocumentSigner } from './document-signer.ts';
import { createMail, type MailProvider } from './mail.ts';
import type { AiProvider } from './ai.ts';
import { type AiSettings, composeAi } from './ai-compose.ts';
import { createRewardKeys, type RewardKeys } from '../../domain/tracking/reward-keys.ts';
import { createOutbound, type Outbound } from './outbound.ts';
import { composeRails, type DepositRails } from './deposit-rails.ts';
import type { RailSettings } from './deposit-settings.ts';
import { composePayouts, type Payouts, type PayoutSettings } from './payout.ts';

/** What of the configuration the providers need; Config has all of it. */
export interface ProviderSettings {
  urls: { base: string };
  mediaDir: string;
  privateDir: string;
  exportDir: string;
  mail: { smtpUrl: string | undefined; from: string; dir: string };
  keys: {
    data: readonly DataKey[];
    track: readonly DataKey[];
    documents: readonly DataKey[];
    hash: Buffer;
  };
  payouts: PayoutSettings;
  payments: RailSettings;
  ai: AiSettings;
  /** Development and tests only (interface 4.9). */
  dev: { hosts: ReadonlyMap<string, string>; txt: ReadonlyMap<string, string> };
}

/** Everything behind activities that is not the database: made once per process. */
export interface Providers {
  /** Calls to addresses that somebody else chose. */
  outbound: Outbound;
  mediaStore: MediaStore;
  /** Makes pictures, videos and texts of ads. */
  ai: AiProvider;
  /** Seals what must not lie readable in the database, such as account numbers. */
  sealer: ColumnSealer;
  /** Tokens of rewards, and the signature of the callbacks that report them. */
  rewardKeys: RewardKeys;
  /** Proofs of identity; never served by name. */
  privateStore: PrivateStore;
  /** Reports that flows have written, until they expire. */
  exportStore: ExportStore;
  mail: MailProvider;
  /** Signs what accounts are told of their money. */
  documents: DocumentSigner;
  /** Finds a sealed account number again. */
  blindIndex: BlindIndex;
  /** Money that leaves. */
  payouts: Payouts;
  /** Money that comes in. */
  rails: DepositRails;
}

/** How long a mail server may keep silent. */
const MAIL_ANSWER_MS = 10_000;

/** `onOpening` hears of each sealed text that is opened; a process that serves people names one. */
export function composeProviders(settings: ProviderSettings, onOpening?: OnOpening): Providers {
  const sealer = createColumnSealer(settings.keys.data, onOpening);
  return {
    outbound: createOutbound({
      baseUrl: settings.urls.base,
      devHosts: settings.dev.hosts,
      devTxt: settings.dev.txt,
    }),
    mediaStore: createFileMediaStore(settings.mediaDir),
    ai: composeAi(settings.ai),
    sealer,
    rewardKeys: createRewardKeys(settings.keys.track),
    privateStore: createPrivateStore(settings.privateDir, { sealer, onOpening }),
    exportStore: createExportStore(settings.exportDir),
    mail: createMail({
      ...settings.mail,
      baseUrl: settings.urls.base,
      answerMs: MAIL_ANSWER_MS,
    }),
    documents: createDocumentSigner(settings.keys.documents),
    blindIndex: createBlindIndex(settings.keys.hash),
    payouts: composePayouts(settings.payouts),
    rails: composeRails(settings.payments, settings.urls.base),
  };
}
