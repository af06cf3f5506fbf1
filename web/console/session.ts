/** Who is logged in where: a person may have an advertiser's and a publisher's console open at once. */
export type Realm = 'advertiser' | 'publisher' | 'admin';

/** The first part of a console's address. */
export const FOLDERS = {
  advertiser: 'advertiser',
  publisher: 'publisher',
  admin: 'operator',
} as const;

const keyOf = (realm: Realm): string => `adp-token-${realm}`;

let begun: (realm: Realm) => void = () => undefined;

/** What somebody else has read in this browser is not shown to who logs in now. */
export const whenBegun = (forget: (realm: Realm) => void): void => {
  begun = forget;
};

/** Kept by the browser, so that a pasted address opens in a new tab; logging out ends it everywhere. */
export const session = {
  token: (realm: Realm): string | null => localStorage.getItem(keyOf(realm)),
  /** The account, and who of its people. */
  subject: (realm: Realm): string => {
    const token = session.token(realm);
    return token === null ? '' : subjectOf(token);
  },
  /** False where it goes on with what the same person has begun. */
  begin: (realm: Realm, token: string): boolean => {
    localStorage.setItem(keyOf(realm), token);
    if (resume(realm, token)) return false;
    shown.delete(realm);
    begun(realm);
    return true;
  },
  end: (realm: Realm): void => {
    shown.delete(realm);
    localStorage.removeItem(keyOf(realm));
  },
};

/** It lasted as long as sessions do; or somebody ended it, which the API tells nobody more about. */
export const ENDINGS = ['time', 'elsewhere'] as const;
export type Ending = (typeof ENDINGS)[number];

let lead: (realm: Realm, why?: Ending) => void = () => undefined;

/** What happens where a session has ended before anything was shown; the router knows the way to the login. */
export const whenExpired = (leadAway: typeof lead): void => {
  lead = leadAway;
};

/** Realms of which this page shows something, and whose it is. */
const shown = new Map<Realm, string>();

/** A session that ended while its pages stand open, until its owner is back or leaves. */
interface Ended {
  realm: Realm;
  /** Whose it was. */
  subject: string;
  /** `others`: somebody else has logged in meanwhile, in another tab. */
  why: Ending | 'others';
  /** True when they are back. */
  over: Promise<boolean>;
  end: (isBack: boolean) => void;
}
let ended: Ended | null = null;
const watchers = new Set<() => void>();

const set = (next: Ended | null): void => {
  ended = next;
  for (const tell of watchers) tell();
};

/** Of which realm somebody is asked to log in again, in front of the page that they were on. */
export const asksAgain = {
  realm: (): Realm | null => ended?.realm ?? null,
  why: (): Ended['why'] | null => ended?.why ?? null,
  watch: (tell: () => void): (() => void) => {
    watchers.add(tell);
    return () => watchers.delete(tell);
  },
  /** Rather to the login, without what was written here. */
  leave: (): void => {
    if (ended === null) return;
    const { realm, why, end } = ended;
    // What stands here is read anew as theirs; what was written is asked about first.
    if (why === 'others') {
      location.assign(`/console/${FOLDERS[realm]}`);
      return;
    }
    set(null);
    shown.delete(realm);
    end(false);
    lead(realm);
  },
};

const claimsOf = (token: string): { sub?: string; mem?: number; exp?: number } => {
  const [, payload = ''] = token.split('.');
  const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
  return JSON.parse(text) as { sub?: string; mem?: number; exp?: number };
};

/** The account, and who of its people. */
const subjectOf = (token: string): string => {
  const { sub, mem } = claimsOf(token);
  return `${sub} ${mem}`;
};

const whyOf = (token: string): Ending => {
  const { exp = 0 } = claimsOf(token);
  return exp * 1_000 <= Date.now() ? 'time' : 'elsewhere';
};

/** True where whoever it was goes on; nothing that another person has begun is done for them. */
function resume(realm: Realm, token: string): boolean {
  if (ended?.realm !== realm) return false;
  const { subject, end } = ended;
  const isSame = subject === subjectOf(token);
  set(null);
  end(isSame);
  return isSame;
}

// Another tab has logged somebody in or out.
addEventListener('storage', ({ key, newValue }) => {
  const realm = [...shown.keys()].find((each) => keyOf(each) === key);
  if (realm === undefined) return;
  if (newValue === null) begunToEnd(realm, 'elsewhere');
  else if (subjectOf(newValue) !== shown.get(realm)) begunToEnd(realm, 'others');
  else resume(realm, newValue);
});

/** In front of what this page shows of somebody: nothing of it goes on until they are back. */
function begunToEnd(realm: Realm, why: Ended['why']): Ended {
  // Another request was told first; who else has logged in is known only now.
  if (ended?.realm === realm) {
    if (ended.why !== why) set({ ...ended, why });
    return ended;
  }
  let end: Ended['end'] = () => undefined;
  const over = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  const begunNow = { realm, subject: shown.get(realm) ?? '', why, over, end };
  set(begunNow);
  return begunNow;
}

/** The API says that a token is no longer good. True when its owner has logged in again. */
async function ending(realm: Realm, token: string): Promise<boolean> {
  if (ended?.realm === realm) return await ended.over;
  const now = session.token(realm);
  if (now !== null && now !== token) return await isTheirs(realm);
  if (!shown.has(realm)) {
    expire(realm);
    return false;
  }
  localStorage.removeItem(keyOf(realm));
  return await begunToEnd(realm, whyOf(token)).over;
}

/** Without asking in place: to the login. */
export function expire(realm: Realm): void {
  const token = session.token(realm);
  if (token === null) return;
  session.end(realm);
  lead(realm, whyOf(token));
}

/**
 * Asks the API, and once more where the session has ended meanwhile and its owner has logged in
 * again: what was begun goes on, and what is written on the page stays. `isEnd` says of a refusal that
 * it is that.
 */
export async function inSession<Answer>(
  realm: Realm,
  ask: () => Promise<Answer>,
  isEnd: (error: unknown) => boolean,
): Promise<Answer> {
  if (!(await isTheirs(realm))) throw isOthers();
  const token = session.token(realm);
  try {
    const answer = await ask();
    if (token !== null && session.token(realm) === token) shown.set(realm, subjectOf(token));
    return answer;
  } catch (error) {
    if (token === null || !isEnd(error)) throw error;
    if (await ending(realm, token)) return await ask();
    throw session.token(realm) === null ? error : isOthers();
  }
}

/** The page is left: nobody reads it. */
const isOthers = (): Error => new DOMException('It is another’s.', 'AbortError');

/** Whether who is logged in now is whose page this is, at last. */
async function isTheirs(realm: Realm): Promise<boolean> {
  const subject = shown.get(realm);
  const token = session.token(realm);
  // The other tab's word may still be on its way.
  if (subject !== undefined && (token === null || subjectOf(token) !== subject)) {
    return await begunToEnd(realm, token === null ? 'elsewhere' : 'others').over;
  }
  return ended?.realm === realm ? await ended.over : true;
}
