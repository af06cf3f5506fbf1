import { Radio, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useController, useWatch } from 'react-hook-form';
import type { DepositMethod } from '../../../../../../domain/lifecycle/deposit.ts';
import type { TokenNetwork } from '../../../../../../domain/deposit-terms.ts';
import type { DepositMethod as DepositMethodInfo } from '../../../../../client/routes.ts';
import { useWrite } from '../../../../api.ts';
import { MoneyField } from '../../../../parts/fields.tsx';
import { Form } from '../../../../parts/form.tsx';
import { useFieldLabel } from '../../../../parts/form-faults.tsx';
import { formatMoney } from '../../../../parts/money.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { Section } from '../../../../parts/section.tsx';
import { useMarks, useTexts } from '../../../../parts/texts.ts';
import { create } from '../../../../queries/advertiser/deposit.ts';
import { moneyTexts } from '../../../../texts/advertiser/money.ts';
import { useProfileFirst } from '../../-parts/profile-first.tsx';

interface Values {
  amount: number | null;
  payment_method: DepositMethod;
  network: TokenNetwork | null;
}

/** Those that can be used first; as another order was, where it was come from that. */
export function TopUp(props: {
  ways: readonly DepositMethodInfo[];
  amount: number | undefined;
  by: DepositMethod | undefined;
}) {
  const { ways, amount, by } = props;
  const t = useTexts(moneyTexts);
  const navigate = useNavigate();
  const { mutateAsync } = useWrite(create);
  const { run, dialog } = useProfileFirst();
  const offered = ways.toSorted((one, other) => Number(other.usable) - Number(one.usable));
  const first = offered.find(({ method, usable }) => usable && method === by) ?? offered[0];
  return (
    <Section title={t.topUp} lead={t.topUpLead}>
      {dialog}
      <Form<Values>
        route="POST /api/advertiser/deposits"
        values={{
          amount: amount ?? null,
          payment_method: first?.method ?? 'BANK',
          network: null,
        }}
        submit={t.order}
        guarded={false}
        send={async ({ amount, network, ...rest }) => {
          const chain = rest.payment_method === 'USDT' && network !== null ? { network } : {};
          const body = { ...rest, ...chain, amount: amount ?? 0 };
          const made = await run(async () => await mutateAsync({ body }));
          await navigate({ to: '/advertiser/money/deposits/$id', params: { id: made.id } });
        }}
      >
        <AmountField ways={offered} />
        <MethodField ways={offered} />
        <NetworkField ways={offered} />
      </Form>
    </Section>
  );
}

/** What the chosen way asks for at the least is said before it is sent, in its currency. */
function AmountField({ ways }: { ways: readonly DepositMethodInfo[] }) {
  const t = useTexts(moneyTexts);
  const { language } = usePreferences();
  const chosen = useWatch<Values, 'payment_method'>({ name: 'payment_method' });
  const way = ways.find(({ method }) => method === chosen);
  const fault = (value: unknown): string | true =>
    way !== undefined && typeof value === 'number' && value < way.minimum
      ? t.tooLittle(formatMoney(way.minimum, language, way.currency))
      : true;
  return <MoneyField name="amount" label={t.amount} help={t.amountHelp} fault={fault} required />;
}

/** Every way to pay is shown; one that cannot be used says why. */
function MethodField({ ways }: { ways: readonly DepositMethodInfo[] }) {
  const t = useTexts(moneyTexts);
  const { gap } = useMarks();
  const { language } = usePreferences();
  useFieldLabel('payment_method', t.method);
  const { field, fieldState } = useController({ name: 'payment_method' });
  return (
    <Radio.Group
      label={t.method}
      value={field.value as string}
      onChange={field.onChange}
      error={fieldState.error?.message}
    >
      <Stack gap="xs" mt={4}>
        {ways.map(({ method, usable, reason, minimum, currency, pay_currency: asked, rate }) => (
          <Radio
            key={method}
            value={method}
            label={t.methods[method]}
            description={
              reason === null
                ? [
                    t.methodHelp[method],
                    t.fromMinimum(formatMoney(minimum, language, currency)),
                    rate === null ? '' : t.asRate(rate, asked),
                  ]
                    .filter((part) => part !== '')
                    .join(gap)
                : t.unusable[reason]
            }
            disabled={!usable}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** The chain that the tokens come on: theirs is another address on each, and none knows the other's. */
function NetworkField({ ways }: { ways: readonly DepositMethodInfo[] }) {
  const t = useTexts(moneyTexts);
  const chosen = useWatch<Values, 'payment_method'>({ name: 'payment_method' });
  useFieldLabel('network', t.network);
  const { field, fieldState } = useController<Values, 'network'>({ name: 'network' });
  const networks = ways.find(({ method }) => method === chosen)?.networks ?? [];
  const [first] = networks;
  if (first === undefined) return null;
  return (
    <Radio.Group
      label={t.network}
      description={t.networkHelp}
      value={field.value ?? first}
      onChange={field.onChange}
      error={fieldState.error?.message}
    >
      <Stack gap="xs" mt={4}>
        {networks.map((network) => (
          <Radio key={network} value={network} label={t.networks[network]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
