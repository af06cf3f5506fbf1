import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import type { BankCard, PaymentMethod } from '../../../../../client/routes.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { MoneyField, SelectField, TextField } from '../../../../parts/fields.tsx';
import { useFieldLabel } from '../../../../parts/form-faults.tsx';
import { formatMoney, Money } from '../../../../parts/money.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useMarks, useTexts } from '../../../../parts/texts.ts';
import { relative } from '../../../../parts/time.tsx';
import { withdrawal } from '../../../../texts/withdrawal.ts';
import { isUsable } from '../../../../may/payout.ts';
import { ArrivalPreview } from './-arrival-preview.tsx';
import { usePayoutFault } from './-payout-fault.ts';

export interface WithdrawValues {
  amount: number | null;
  payment_method: PaymentMethod['payment_method'] | null;
  bank_card_id: number | null;
  account_info: string;
}

export const askOf = (values: WithdrawValues) => ({
  amount: values.amount ?? 0,
  ...(values.payment_method === null ? {} : { payment_method: values.payment_method }),
  ...(values.payment_method === 'BANK'
    ? { bank_info: { bank_card_id: values.bank_card_id } }
    : { account_info: values.account_info }),
});

/** Whole, so that nothing is lost in reckoning. */
const millionths = (amount: number): number => Math.round(amount * 1_000_000);

export function WithdrawFields(props: {
  withdrawable: number;
  debt: number;
  methods: readonly PaymentMethod[];
  cards: readonly BankCard[];
}) {
  const { withdrawable, debt, methods, cards } = props;
  const t = useTexts(withdrawal);
  const marks = useMarks();
  const { language } = usePreferences();
  const faultOf = usePayoutFault(withdrawable);
  const { getValues, setValue } = useFormContext<WithdrawValues>();
  const chosen = useWatch<WithdrawValues, 'payment_method'>({ name: 'payment_method' });
  const methodOf = (sought: WithdrawValues['payment_method']): PaymentMethod | undefined =>
    methods.find(({ payment_method: name }) => name === sought);
  const method = methodOf(chosen);
  // Of the way that is chosen by now: it is asked anew when another one is.
  const amountFault = (amount: unknown): string | true => {
    const now = methodOf(getValues('payment_method'));
    return now === undefined ? true : (faultOf(Number(amount), now) ?? true);
  };
  // In the steps of the way that is chosen, or in such as every way takes.
  const steps = (method === undefined ? methods : [method]).map(({ step }) => millionths(step));
  const payableOf = (amount: number): number => {
    const step = Math.max(1, ...steps);
    return (Math.floor(millionths(amount) / step) * step) / 1_000_000;
  };
  const helpOf = ({ networks, new_account_waits: seconds }: PaymentMethod): string => {
    const now = Date.now();
    const leaves = new Date(now + seconds * 1_000).toISOString();
    const waits = t.newAccountWaits(relative(leaves, language, now));
    return networks.length === 0 ? waits : `${t.usdtHelp(networks.join(marks.comma))} ${waits}`;
  };
  return (
    <>
      <Group gap="sm">
        <Text>
          {t.canWithdraw} <Money amount={withdrawable} />
        </Text>
        {withdrawable > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setValue('amount', payableOf(withdrawable), { shouldDirty: true })}
          >
            {t.all}
          </Button>
        )}
      </Group>
      {withdrawable <= 0 && (
        <Text size="sm">{debt > 0 ? t.owed(formatMoney(debt, language)) : t.nothingYet}</Text>
      )}
      <MoneyField name="amount" label={t.amount} min={0} fault={amountFault} required />
      <Channels methods={methods} />
      {chosen === 'BANK' && <Cards cards={cards} />}
      {chosen !== null && chosen !== 'BANK' && method !== undefined && (
        <TextField
          key={chosen}
          name="account_info"
          label={t.accountInfo[chosen]}
          help={helpOf(method)}
          required
        />
      )}
      {method !== undefined && <ArrivalPreview method={method} withdrawable={withdrawable} />}
    </>
  );
}

/** Each with what it takes; one that is not offered stays visible with its reason. */
function Channels({ methods }: { methods: readonly PaymentMethod[] }) {
  const t = useTexts(withdrawal);
  const { language } = usePreferences();
  useFieldLabel('payment_method', t.howTitle);
  const { field, fieldState } = useController<WithdrawValues>({ name: 'payment_method' });
  const { getFieldState, resetField, trigger } = useFormContext<WithdrawValues>();
  const costOf = ({ fee: { fixed, percent }, currency }: PaymentMethod): string => {
    if (fixed === 0 && percent === 0) return t.noFee;
    const money = fixed === 0 ? '' : formatMoney(fixed, language, currency);
    return t.feeIs(t.feeOf(money, percent === 0 ? '' : t.percent(percent)));
  };
  return (
    <Radio.Group
      name="payment_method"
      label={t.howTitle}
      value={field.value as string | null}
      onChange={(chosen) => {
        field.onChange(chosen);
        // An address of one way is none of another, nor is what was wrong with it; each has its own least amount.
        resetField('account_info');
        if (getFieldState('amount').error !== undefined) void trigger('amount');
      }}
      error={fieldState.error?.message}
    >
      <Stack gap="xs" mt="xs">
        {methods.map((method, at) => (
          <Radio
            ref={at === 0 ? field.ref : undefined}
            key={method.payment_method}
            value={method.payment_method}
            label={t.channels[method.payment_method]}
            disabled={!method.available}
            description={
              method.available
                ? `${t.least} ${formatMoney(method.minimum, language, method.currency)} · ${costOf(method)}`
                : t.unavailable
            }
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function Cards({ cards }: { cards: readonly BankCard[] }) {
  const t = useTexts(withdrawal);
  const { language } = usePreferences();
  const add = (
    <ButtonLink to="/publisher/payouts/accounts/new" size="compact-sm" variant="default">
      {t.addAccount}
    </ButtonLink>
  );
  if (cards.length === 0) {
    return (
      <Group gap="sm">
        <Text size="sm">{t.noCards}</Text>
        {add}
      </Group>
    );
  }
  const [first = null] = cards.map(({ usable_from: from }) => from).toSorted();
  return (
    <>
      <SelectField
        name="bank_card_id"
        label={t.account}
        numeric
        required
        options={cards.map((card) => ({
          value: String(card.id),
          disabled: !isUsable(card),
          label: [
            card.account,
            card.bank_name,
            isUsable(card) ? t.cardUsable : t.cardWaits(relative(card.usable_from, language)),
          ]
            .filter((part) => part !== null)
            .join(' · '),
        }))}
      />
      {first !== null && !cards.some(isUsable) && (
        <Text size="sm">{t.allWait(relative(first, language))}</Text>
      )}
    </>
  );
}
