/** Real values made fit to be shown: no secret, nothing of this machine, nothing endless. */
const TEXT_MAX = 600;
const RECORDS_MAX = 1;
const WORDS_MAX = 4;
/** Past this an answer is a file to fetch, not an example to read. */
const CHARS_MAX = 16_000;

/** Fields whose value opens something; of an answer or a request. */
const SECRETS: Readonly<Record<string, string>> = {
  token: 'the-token',
  password: 'correct horse battery',
  old_password: 'correct horse battery',
  new_password: 'another horse battery',
  confirm_password: 'another horse battery',
  ticket: 'the-ticket',
  uri: 'otpauth://totp/…',
  challenge: 'the-challenge',
  qa_k: 'the-session-key',
  _rand: 'proof-of-qa_k',
  signature: 'the-signature',
};

/** Sealed ids, wherever they stand in a text: they are long, and differ with every answer. */
const SEALED = /(\/track\/[a-z-]+\/|track_id=|token=|qa_k=|signature=)[\w.~-]{24,}/g;
const SEALED_FIELDS = new Set(['track_id', 'payload']);
/** Ports of a test run are nobody's; the usual one is shown. */
const OWN_HOST = /127\.0\.0\.1:\d+/g;

/** Null when it is too long to be read. */
export function readable(value: unknown): unknown {
  const shown = cut(value);
  return JSON.stringify(shown).length > CHARS_MAX ? null : shown;
}

function cut(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return readableText(value, name);
  if (Array.isArray(value)) {
    const max = value.some((each) => typeof each === 'object') ? RECORDS_MAX : WORDS_MAX;
    return value.slice(0, max).map((each) => cut(each));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, each]) => [field, cut(each, field)]),
  );
}

function readableText(text: string, name = ''): string {
  const secret = SECRETS[name];
  if (secret !== undefined) return secret;
  if (SEALED_FIELDS.has(name) || (name === 'id' && text.length > 40)) return 'the-track-id';
  const plain = text
    .replace(SEALED, (_all, before: string) => `${before}the-track-id`)
    .replace(OWN_HOST, '127.0.0.1:8080');
  return plain.length > TEXT_MAX ? `${plain.slice(0, TEXT_MAX)}…` : plain;
}
