import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** What Node keeps of an answer (node:http, OutgoingMessage). */
interface Kept {
  _header: string | null;
  _keepAliveTimeout?: number;
  _expect_continue?: boolean;
  shouldKeepAlive: boolean;
  useChunkedEncodingByDefault: boolean;
  statusMessage: string;
  writeHead: unknown;
}

/** A head as Node wrote it, in two parts: the length stands between them. */
interface Written {
  /** Unix seconds; the date that the head says. */
  second: number;
  /** What wrote it: an answer over https says more (express-server.ts). */
  writeHead: unknown;
  keepAliveTimeout: number | undefined;
  message: string;
  before: string;
  after: string;
}

const LENGTH = 'Content-Length: ';

/**
 * The head of answers that differ in their length alone. Node checks and joins every header of every answer: of
 * 30 us that a small answer takes, 3. Here Node writes the head once a second and status, and what it wrote is given to
 * the others, where nothing about the answer or its connection asks for another head: those are written by Node
 * (test/api/http/answer-head.test.ts holds that what arrives is the same).
 */
export class AnswerHead {
  readonly #headers: OutgoingHttpHeaders;
  readonly #written = new Map<number, Written>();

  constructor(headers: OutgoingHttpHeaders) {
    this.#headers = headers;
  }

  /** `length`: of the text, in bytes. */
  write(res: ServerResponse, status: number, length: number): void {
    const kept = res as unknown as Kept;
    if (!isUsual(res, kept)) {
      this.#byNode(res, status, length);
      return;
    }
    const second = Math.floor(Date.now() / 1_000);
    const written = this.#written.get(status);
    if (written !== undefined && written.second === second && isOfSameServer(written, kept)) {
      res.statusCode = status;
      kept.statusMessage = written.message;
      kept._header = written.before + String(length) + written.after;
      return;
    }
    this.#byNode(res, status, length);
    const head = kept._header ?? '';
    const at = head.indexOf(LENGTH) + LENGTH.length;
    this.#written.set(status, {
      second,
      writeHead: kept.writeHead,
      keepAliveTimeout: kept._keepAliveTimeout,
      message: kept.statusMessage,
      before: head.slice(0, at),
      after: head.slice(head.indexOf('\r', at)),
    });
  }

  #byNode(res: ServerResponse, status: number, length: number): void {
    res.writeHead(status, { ...this.#headers, 'Content-Length': length });
  }
}

/** HTTP/1.1 on a connection that stays, and nobody has said a header or asked to see the head. */
const isUsual = (res: ServerResponse, kept: Kept): boolean =>
  kept.shouldKeepAlive &&
  kept.useChunkedEncodingByDefault &&
  kept._expect_continue !== true &&
  kept._header === null &&
  !Object.hasOwn(res, 'writeHead') &&
  res.getHeaderNames().length === 0;

const isOfSameServer = (written: Written, kept: Kept): boolean =>
  written.writeHead === kept.writeHead && written.keepAliveTimeout === kept._keepAliveTimeout;
