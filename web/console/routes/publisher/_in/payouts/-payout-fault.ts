import type { PaymentMethod } from '../../../../../client/routes.ts';
import { arrivalOf } from '../../../../may/payout.ts';
import { formatMoney } from '../../../../parts/money.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { withdrawal } from '../../../../texts/withdrawal.ts';

/** Why an amount cannot be paid out this way, null where it can: the preview and the field say the same. */
export function usePayoutFault(
  withdrawable: number,
): (amount: number, method: PaymentMethod) => string | null {
  const { faults } = useTexts(withdrawal);
  const { language } = usePreferences();
  return (amount, method) => {
    const money = (sum: number): string => formatMoney(sum, language, method.currency);
    if (withdrawable < method.minimum) {
      return faults.notYet(money(method.minimum), money(withdrawable));
    }
    if (amount > withdrawable) return faults.balance(money(withdrawable));
    const { fault } = arrivalOf(amount, method);
    if (fault === null) return null;
    return {
      least: faults.least(money(method.minimum)),
      step: faults.step(money(method.step)),
      nothing: faults.nothing,
    }[fault];
  };
}
