import { Alert, Stack, Title } from '@mantine/core';
import { useTexts } from '../../../../parts/texts.ts';
import { Facts } from '../../../../parts/facts.tsx';
import { Money } from '../../../../parts/money.tsx';
import { State } from '../../../../parts/state.tsx';
import { When } from '../../../../parts/time.tsx';
import type { OperatorWithdrawal } from '../../../../queries/operator/money.ts';
import { finance } from '../../../../texts/finance.ts';
import { statement } from '../../../../texts/statement.ts';
import { payoutWord } from '../../../../texts/payout-word.ts';
import { subject } from '../../../../texts/subject.ts';
import { useReasonWord } from './reason-words.ts';

/** The request, what is deducted, and how far its payout has come. */
export function WithdrawalFacts({ withdrawal }: { withdrawal: OperatorWithdrawal }) {
  const t = useTexts(subject);
  const f = t.fields;
  const p = useTexts(payoutWord);
  const m = useTexts(finance).methods;
  const s = useTexts(statement);
  const { payout, currency } = withdrawal;
  return (
    <Stack gap="md">
      {payout?.state === 'REJECTED' && payout.bank_status === 'BOOKED' && (
        <Alert color="red" variant="light">
          {p.paidAfter}
        </Alert>
      )}
      <Facts
        rows={[
          [f.status, <State key="s" state={withdrawal.status} />],
          [f.amount, <Money key="a" amount={withdrawal.amount} currency={currency} />],
          [f.fee, <Money key="f" amount={withdrawal.fee} currency={currency} />],
          [f.tax, <Money key="t" amount={withdrawal.tax} currency={currency} />],
          [f.arrival, <Money key="r" amount={withdrawal.arrival_amount} currency={currency} />],
          [f.method, m[withdrawal.payment_method]],
          [f.account, withdrawal.account],
          [f.submitted_at, <When key="w" at={withdrawal.created_at} />],
          [f.not_before, <When key="n" at={withdrawal.not_before} />],
          [f.reference, withdrawal.reference],
        ]}
      />
      {payout !== null && (
        <>
          <Title order={2}>{f.order}</Title>
          <Facts
            rows={[
              [f.order, <code key="o">{payout.external_ref}</code>],
              [f.state, <State key="s" state={payout.state} />],
              [f.tries, payout.tries],
              [f.looks, payout.looks],
              [f.last_outcome, <LastOutcome key="l" code={payout.last_outcome} />],
              [f.file, payout.file_name],
              [
                f.bank_status,
                payout.bank_status === null
                  ? null
                  : [s.said[payout.bank_status], payout.bank_code, payout.bank_words]
                      .filter((part) => part !== null)
                      .join(' · '),
              ],
            ]}
          />
        </>
      )}
    </Stack>
  );
}

/** What the provider said, or why an operator said that it was not paid. */
function LastOutcome({ code }: { code: string | null }) {
  const { outcomes } = useTexts(payoutWord);
  const known: Readonly<Record<string, string>> = outcomes;
  const said = code === null ? '—' : known[code];
  const reasonOf = useReasonWord(undefined, said === undefined);
  return said ?? reasonOf({ code: String(code) });
}
