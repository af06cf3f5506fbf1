/** What a provider's server answered, whatever its status. */
export interface ProviderAnswer {
  status: number;
  headers: Headers;
  /** As it came, for its signature. */
  text: string;
}

const ANSWER_MS = 8_000;
const ANSWER_CHARS_MAX = 262_144;

/**
 * One call to a payment provider: an address of the configuration, not of a stranger. No redirect is
 * followed. Raises when no whole answer came: what it did is not known then.
 */
export async function callProvider(
  url: string,
  {
    charsMax = ANSWER_CHARS_MAX,
    ...init
  }: { method: 'GET' | 'POST'; headers?: Record<string, string>; body?: string; charsMax?: number },
): Promise<ProviderAnswer> {
  const response = await fetch(url, {
    ...init,
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const text = await response.text();
  if (text.length > charsMax) throw new Error('the provider answered more than anybody reads');
  return { status: response.status, headers: response.headers, text };
}

/** Fields of a JSON object; undefined where it is none. */
export function fieldsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');
