import type { NotificationKind, NotificationParams } from './notifications.ts';

/**
 * What is told to an owner's own server (interface 5.11), in the form of the Standard Webhooks
 * convention, so that a receiver can check it by a library.
 */
export const WEBHOOKS_MAX = 10;
export const WEBHOOK_URL_CHARS_MAX = 2_000;

/** At once, then after each of these; after the last one it is a dead letter. */
export const WEBHOOK_RETRY_SECONDS: readonly number[] = [
  5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000,
];
/** An address that has taken nothing for so long is called no more. */
export const WEBHOOK_FAILING_DAYS = 3;
/** The secret before signs beside the new one. */
export const SECRET_OVERLAP_MS = 24 * 3_600_000;

export const SECRET_PREFIX = 'whsec_';
export const SECRET_BYTES = 32;
export const webhookSecret = (bytes: Buffer): string =>
  `${SECRET_PREFIX}${bytes.toString('base64')}`;

/** A test is sent by its owner, and is no notification. */
export const TEST_KIND = 'test';
export type WebhookKind = NotificationKind | typeof TEST_KIND;

export interface WebhookEvent {
  kind: WebhookKind;
  at: Date;
  /** Null of a test. */
  notificationId: number | null;
  subject: { type: string; id: number } | null;
  params: NotificationParams;
  text: string;
}

/** Receivers need not take more. */
const BODY_BYTES_MAX = 20_000;

/** Facts that are too long are left to GET /notifications. */
export function webhookBody({ kind, at, notificationId, ...data }: WebhookEvent): string {
  const bodyOf = (params: NotificationParams | null): string =>
    JSON.stringify({
      type: kind,
      timestamp: at.toISOString(),
      data: { notification_id: notificationId, subject: data.subject, params, text: data.text },
    });
  const whole = bodyOf(data.params);
  return Buffer.byteLength(whole) <= BODY_BYTES_MAX ? whole : bodyOf(null);
}
