import { createHmac } from 'node:crypto';
import { SECRET_PREFIX } from '../../domain/webhook.ts';

/** One signature for each secret that holds. */
export function webhookHeaders(message: {
  id: string;
  unixSeconds: number;
  body: string;
  secrets: readonly string[];
}): Record<string, string> {
  const { id, unixSeconds, body, secrets } = message;
  const signed = `${id}.${unixSeconds}.${body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': signatures.join(' '),
  };
}
