import { type ColumnSealer, createColumnSealer, type DataKey } from '../../db/sealed-columns.ts';
import { createFileMediaStore, type MediaStore } from '../../db/media-store.ts';
import { createOutbound, type Outbound } from './outbound.ts';

/** What of the configuration the providers need; Config has all of it. */
export interface ProviderSettings {
  urls: { base: string };
  mediaDir: string;
  keys: { data: readonly DataKey[] };
  /** Development and tests only (decisions 8). */
  dev: { hosts: ReadonlyMap<string, string>; txt: ReadonlyMap<string, string> };
}

/** Everything behind activities that is not the database: made once per process. */
export interface Providers {
  /** Calls to addresses that somebody else chose. */
  outbound: Outbound;
  mediaStore: MediaStore;
  /** Seals what must not lie readable in the database, such as account numbers. */
  sealer: ColumnSealer;
}

export function composeProviders(settings: ProviderSettings): Providers {
  return {
    outbound: createOutbound({
      baseUrl: settings.urls.base,
      devHosts: settings.dev.hosts,
      devTxt: settings.dev.txt,
    }),
    mediaStore: createFileMediaStore(settings.mediaDir),
    sealer: createColumnSealer(settings.keys.data),
  };
}
