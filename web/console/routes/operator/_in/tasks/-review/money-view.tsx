import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { countryName } from '../../../../../parts/countries.ts';
import { fileEnd } from '../../../../../may/payout.ts';
import { Facts } from '../../../../../parts/facts.tsx';
import { Money } from '../../../../../parts/money.tsx';
import { usePreferences } from '../../../../../parts/preferences.tsx';
import { State } from '../../../../../parts/state.tsx';
import { useMarks, useTexts, wordOf } from '../../../../../parts/texts.ts';
import { When } from '../../../../../parts/time.tsx';
import { refused } from '../../../../../parts/toast.ts';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { finance } from '../../../../../texts/finance.ts';
import { payoutWord } from '../../../../../texts/payout-word.ts';
import { subject } from '../../../../../texts/subject.ts';
import { PageLink } from '../../-shown/page-link.tsx';
import { Receipts } from '../../-shown/receipts.tsx';
import { useTakeFile } from '../../-shown/take-file.ts';
import { WithdrawalFacts } from '../../-shown/withdrawal-facts.tsx';
import { DepositOutcome } from './deposit-outcome.tsx';
import { FirstWord, isSecondWord } from './first-word.tsx';
import { PayoutHelp } from './payout-help.tsx';
import { WayBackFacts } from './way-back-facts.tsx';

type Detail = TaskPage['detail'];

export function DepositView({ detail, kind }: { detail: Detail; kind: TaskPage['kind'] }) {
  const t = useTexts(subject);
  const f = t.fields;
  const m = useTexts(finance).methods;
  const { deposit, receipts, receipt_id: asked, advertiser_balance: balance } = detail;
  if (deposit === null) return <Text c="dimmed">{t.gone}</Text>;
  const { currency } = deposit;
  return (
    <Stack gap="md">
      {detail.way_back !== null && <WayBackFacts way={detail.way_back} />}
      <Facts
        rows={[
          [f.amount, <Money key="a" amount={deposit.amount} currency={currency} />],
          [f.received, <Money key="r" amount={deposit.received} currency={currency} />],
          [f.status, <State key="s" state={deposit.status} />],
          [f.method, m[deposit.payment_method]],
          [f.reference, <code key="c">{deposit.reference}</code>],
          [f.expires_at, <When key="e" at={deposit.expires_at} />],
          ...(balance === null
            ? []
            : ([
                [f.available, <Money key="b" amount={balance.available} currency={currency} />],
              ] as const)),
        ]}
      />
      <DepositOutcome detail={detail} kind={kind} />
      <Title order={2}>{t.receipts}</Title>
      <Receipts receipts={receipts} asked={asked} />
    </Stack>
  );
}

/** What somebody wants paid out, to whom, and what became of the order. */
export function WithdrawalView({ task, children }: { task: TaskPage; children: ReactNode }) {
  const { detail, kind } = task;
  const t = useTexts(subject);
  const p = useTexts(payoutWord);
  const f = t.fields;
  const w = useTexts(finance);
  const m = w.methods;
  const take = useTakeFile();
  const { withdrawal, balance, earlier_withdrawals: earlier } = detail;
  if (withdrawal === null) return <Text c="dimmed">{t.gone}</Text>;
  const { currency, id } = withdrawal;
  const { payout } = withdrawal;
  const isSecond = isSecondWord(task);
  const hasFile = payout !== null && payout.file_name !== null && !isSecond;
  return (
    <Stack gap="md">
      {isSecond && <FirstWord task={task} />}
      {task.account?.status === 'SUSPENDED' && (
        <Alert color="red" variant="light">
          {hasFile ? t.suspendedFile : t.suspended}
        </Alert>
      )}
      {kind === 'payout_unknown' && task.status === 'open' && !isSecond && (
        <PayoutHelp payout={payout} />
      )}
      {hasFile && fileEnd(payout) === null && (
        <Button variant="default" w="fit-content" onClick={() => void take(id).catch(refused)}>
          {p.downloadFile}
        </Button>
      )}
      <WithdrawalFacts withdrawal={withdrawal} />
      {children}
      <Title order={2}>{f.holder}</Title>
      <Destination destination={detail.destination} />
      {balance !== null && (
        <Facts
          rows={[
            [f.balance, <Money key="b" amount={balance.balance} currency={currency} />],
            [t.withdrawable, <Money key="w" amount={balance.withdrawable} currency={currency} />],
            [t.held, <Money key="h" amount={balance.held} currency={currency} />],
            // Whoever lets this one go should know that the next earnings have to pay it.
            ...(balance.debt > 0
              ? ([[t.debt, <Money key="d" amount={balance.debt} currency={currency} />]] as const)
              : []),
          ]}
        />
      )}
      <Title order={2}>{t.earlierWithdrawals}</Title>
      {earlier.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.noEarlier}
        </Text>
      )}
      {earlier.map((each) => (
        <Text key={each.id} size="sm" component="div">
          <PageLink to={`/operator/withdrawals/${each.id}`} underline="always">
            {w.withdrawal(each.id)}
          </PageLink>{' '}
          · <When at={each.created_at} /> · <Money amount={each.amount} currency={each.currency} />{' '}
          · {m[each.payment_method]} · {each.account} · <State state={each.status} />
        </Text>
      ))}
    </Stack>
  );
}

const given = (...rows: readonly (readonly [string, string | null])[]) =>
  rows.filter(([, value]) => value !== null && value !== '' && value !== '—');

function Destination({ destination }: { destination: Detail['destination'] }) {
  const t = useTexts(subject);
  const { open, close } = useMarks();
  const f = t.fields;
  const { language } = usePreferences();
  if (destination === null) {
    return (
      <Text size="sm" c="dimmed">
        {t.hidden}
      </Text>
    );
  }
  const country = (code: string | null): string | null =>
    code === null ? null : countryName(code, language);
  const { holder, verified_identity: identity } = destination;
  const isSame = destination.holder_is_identity;
  return (
    <Stack gap="xs">
      {isSame !== null && (
        <Alert color={isSame ? 'teal' : 'red'} variant="light">
          {isSame ? t.nameSame : t.nameDiffers}
        </Alert>
      )}
      <Facts
        rows={[
          ...given([f.holder, holder]),
          [
            f.identity,
            identity === null
              ? null
              : `${identity.legal_name}${open}${country(identity.country) ?? ''}${close}`,
          ],
          // Each method has a few of these; the others would be dashes.
          ...given(
            [f.account_type, wordOf(t.words, destination.account_type)],
            [f.bank_name, destination.bank_name],
            [f.network, destination.network],
            [f.country, country(destination.country)],
            [f.currency, destination.currency],
          ),
          [f.account, destination.account],
          [f.usable_from, <When key="u" at={destination.usable_from} />],
        ]}
      />
    </Stack>
  );
}
