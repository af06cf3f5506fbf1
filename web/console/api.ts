/** The public admin API, as any client would use it. */
export interface Finding {
  code: string;
  severity: string;
  field?: string;
  note?: string;
}
export interface Task {
  id: number;
  kind: string;
  status: string;
  subject: { type: string; id: number };
  summary: string;
  findings: Finding[];
  decisions: string[];
  opened_at: string;
  due_at: string | null;
  temporal_url: string;
  [detail: string]: unknown;
}

interface Envelope<Data> {
  code: number;
  message: string;
  data: Data;
}

/** A refusal of the API, in its own words. */
export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const TOKEN_KEY = 'adp-operator-token';

// The tab's storage: closing the tab ends the session on this side.
export const session = {
  get token(): string | null {
    return sessionStorage.getItem(TOKEN_KEY);
  },
  set(token: string | null): void {
    if (token === null) sessionStorage.removeItem(TOKEN_KEY);
    else sessionStorage.setItem(TOKEN_KEY, token);
  },
};

export async function call<Data>(method: string, path: string, body?: object): Promise<Data> {
  const headers: Record<string, string> = {};
  if (session.token !== null) headers['Authorization'] = `Bearer ${session.token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const response = await fetch(`/api/admin${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const envelope = (await response.json()) as Envelope<Data>;
  if (!response.ok) throw new ApiError(response.status, envelope.message);
  return envelope.data;
}
