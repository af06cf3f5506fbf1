import type { ServerResponse } from 'node:http';
import { DomainError } from '../../domain/errors.ts';
import { AnswerHead } from '../http/answer-head.ts';
import { type ByteText, byteText, endWith } from '../http/byte-text.ts';
import { envelope } from '../http/envelope.ts';
import { NO_PAGE } from '../http/safe-headers.ts';

/** Answers of the hot surface, with Node's response only. Any page may ask; no cookies are read. */
const OPEN_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': NO_PAGE,
  'Referrer-Policy': 'no-referrer',
} as const;

const JSON_HEAD = new AnswerHead({
  ...OPEN_HEADERS,
  'Content-Type': 'application/json; charset=utf-8',
});

/** `json` is JSON already. */
export function sendJson(res: ServerResponse, status: number, json: ByteText): void {
  JSON_HEAD.write(res, status, json.length);
  endWith(res, json);
}

/** By policy, of which each kind of ad has one. */
const htmlHeads = new Map<string, AnswerHead>();

function htmlHead(policy: string): AnswerHead {
  let head = htmlHeads.get(policy);
  if (head === undefined) {
    head = new AnswerHead({
      // For frames alone: a script that could read it would have the key that its pixel is signed with.
      'Cache-Control': OPEN_HEADERS['Cache-Control'],
      'X-Content-Type-Options': OPEN_HEADERS['X-Content-Type-Options'],
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer-when-downgrade',
    });
    htmlHeads.set(policy, head);
  }
  return head;
}

export function sendHtml(
  res: ServerResponse,
  page: { status: number; html: ByteText; policy: string },
): void {
  htmlHead(page.policy).write(res, page.status, page.html.length);
  endWith(res, page.html);
}

export function sendNothing(res: ServerResponse): void {
  res.writeHead(200, OPEN_HEADERS);
  res.end();
}

export function sendPreflight(res: ServerResponse): void {
  res.writeHead(204, {
    ...OPEN_HEADERS,
    'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
    'Access-Control-Allow-Headers': 'Content-Type',
    'Access-Control-Max-Age': '86400',
  });
  res.end();
}

/** The envelope of a refusal (interface 2.1); of a fault it says only that it is ours. */
export function sendError(res: ServerResponse, error: unknown, requestId: string): void {
  const refusal =
    error instanceof DomainError ? error : new DomainError('internal', { cause: error });
  const { token, message, code, errors, hints } = refusal;
  const data = {
    error: token,
    ...(errors === undefined ? {} : { errors }),
    ...hints,
    request_id: requestId,
  };
  // What is left of an oversized body is not read: the connection ends with the answer.
  if (token === 'too_large') res.setHeader('Connection', 'close');
  sendJson(res, refusal.status, byteText(JSON.stringify(envelope(data, message, code))));
}
