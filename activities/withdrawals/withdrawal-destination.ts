import type { ActivityDeps } from '../deps.ts';
import type { Destination } from './payout-accounts.ts';
import { accountPlaceOf } from './payout-destination.ts';

/** Where a withdrawal goes, as far as an operator decides by it: whose account, never its number. */
export interface ShownDestination {
  holder: string | null;
  accountType: 'PERSONAL' | 'BUSINESS' | null;
  country: string | null;
  currency: string | null;
  bankName: string | null;
  network: string | null;
}

export function createWithdrawalDestinationActivities(deps: ActivityDeps) {
  return {
    /** Null: there is no such withdrawal, or its account was not kept. */
    async readWithdrawalDestination({ id }: { id: number }): Promise<ShownDestination | null> {
      const withdrawal = await deps.db.models.withdrawals.findByPk(id);
      const sealed = withdrawal?.sealedAccount ?? null;
      if (withdrawal === null || sealed === null) return null;
      const text = deps.providers.sealer.open(sealed.toString('utf8'), accountPlaceOf(withdrawal));
      return shownOf(JSON.parse(text) as Destination);
    },
  };
}

const NOTHING = {
  holder: null,
  accountType: null,
  country: null,
  currency: null,
  bankName: null,
  network: null,
};

function shownOf(destination: Destination): ShownDestination {
  switch (destination.channel) {
    case 'BANK': {
      const { accountHolder, accountType, country, currency, bankName } = destination.account;
      return { ...NOTHING, holder: accountHolder, accountType, country, currency, bankName };
    }
    case 'USDT':
      return { ...NOTHING, network: destination.network };
    case 'PAYPAL':
    case 'PAXUM':
      return NOTHING;
  }
}
