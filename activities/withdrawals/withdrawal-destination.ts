import type { WithdrawalRow } from '../../db/tables/withdrawal.ts';
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

/**
 * In whose name the bank account is. Null: it is none, or nobody can open it now, of which whoever pays it out hears
 * (payout-destination.ts).
 */
export function openedHolder(
  { providers, log }: Pick<ActivityDeps, 'providers' | 'log'>,
  withdrawal: Pick<WithdrawalRow, 'id' | 'publisherId' | 'channel' | 'sealedAccount'>,
): string | null {
  const { channel, sealedAccount } = withdrawal;
  if (channel !== 'BANK' || sealedAccount === null) return null;
  const text = openedText(log, () =>
    providers.sealer.open(sealedAccount.toString('utf8'), accountPlaceOf(withdrawal)),
  );
  return text === null ? null : shownOf(JSON.parse(text) as Destination).holder;
}

function openedText(log: ActivityDeps['log'], open: () => string): string | null {
  try {
    return open();
  } catch (error) {
    log.warn({ err: error }, 'the account of a payout cannot be read');
    return null;
  }
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
