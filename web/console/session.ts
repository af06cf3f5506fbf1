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
  begin: (realm: Realm, token: string): void => {
    localStorage.setItem(keyOf(realm), token);
    begun(realm);
  },
  end: (realm: Realm): void => localStorage.removeItem(keyOf(realm)),
};

let lead: (realm: Realm) => void = () => undefined;

/** What happens where a session has ended by itself; the router knows the way to the login. */
export const whenExpired = (leadAway: (realm: Realm) => void): void => {
  lead = leadAway;
};

/** The API says that a token is no longer good. */
export function expire(realm: Realm): void {
  if (session.token(realm) === null) return;
  session.end(realm);
  lead(realm);
}
