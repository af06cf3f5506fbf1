import type { Realm } from './session.ts';

type Ask = (realm: Realm) => Promise<boolean>;

let askAgain: Ask = () => Promise.resolve(false);
let leadToEnrol: (realm: Realm) => void = () => undefined;

/** Who shows the dialog that asks for a second factor again; answers whether it was shown. */
export const whenProofIsAsked = (ask: Ask): void => {
  askAgain = ask;
};

/** Where somebody is led who must have a second factor and has none. */
export const whenFactorIsMissing = (lead: (realm: Realm) => void): void => {
  leadToEnrol = lead;
};

export const stepUp = {
  ask: async (realm: Realm): Promise<boolean> => await askAgain(realm),
  missing: (realm: Realm): void => leadToEnrol(realm),
};
