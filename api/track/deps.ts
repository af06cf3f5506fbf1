import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { EventLog, LoggedEvent } from '../../db/events/event-log.ts';
import type { ServedPages } from '../../db/serving/served-pages.ts';
import type { FingerprintOf } from '../../domain/tracking/fingerprint.ts';
import type { SessionKeys } from '../../domain/tracking/session-key.ts';
import type { TrackSealer } from '../../domain/tracking/track-id.ts';
import type { ReadPage } from '../pages.ts';
import type { ReadViewer } from '../viewer.ts';

/** What the tracking surface takes; made once by api/server.ts. */
export interface TrackDeps {
  pool: Pool;
  eventLog: EventLog;
  sealer: TrackSealer;
  sessionKeys: SessionKeys;
  readViewer: ReadViewer;
  fingerprintOf: FingerprintOf;
  /** Pages that clicks name by themselves. */
  readPage: ReadPage;
  pages: Pick<ServedPages, 'note'>;
  /** Number of settlement shards. */
  shards: number;
  clock: () => Date;
  log: Logger;
}

/** What is kept of a request, null for nothing, and what answers it once that is durable. */
export interface Report {
  event: LoggedEvent | null;
  send(this: void): void;
}

/** One request of the tracking surface, with Node's own request and response. */
export interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  /** The raw path segment: a track_id needs no decoding, so whatever needs it is none. */
  trackId: string;
  query: URLSearchParams;
}
