import { Stack, Title } from '@mantine/core';
import { Facts } from '../../../../../parts/facts.tsx';
import { formatMoney } from '../../../../../parts/money.tsx';
import { usePreferences } from '../../../../../parts/preferences.tsx';
import { useTexts, wordOf } from '../../../../../parts/texts.ts';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { receipt } from '../../../../../texts/receipt.ts';
import { review } from '../../../../../texts/review.ts';

type Kind = TaskPage['kind'];

/** Of money whose question is whether it is credited or goes back: what each answer does with how much of it. */
export function DepositOutcome({ detail, kind }: { detail: TaskPage['detail']; kind: Kind }) {
  const t = useTexts(receipt);
  const { decisions } = useTexts(review);
  const { language } = usePreferences();
  const { deposit, receipts, receipt_id: asked } = detail;
  const money = receipts.find(({ id }) => id === asked);
  if (deposit === null || money === undefined) return null;
  const words = { deposit_review: t.outcome, deposit_second_approval: t.second, suspense: t.loose };
  if (!(kind in words)) return null;
  const { yes, no } = words[kind as keyof typeof words];
  const shown = (sum: number): string => formatMoney(sum, language, deposit.currency);
  const [credit, back] = kind === 'suspense' ? ['credit', 'refund'] : ['approve', 'reject'];
  const difference = money.amount - deposit.amount;
  const differs = difference < 0 ? t.less(shown(-difference)) : t.more(shown(difference));
  return (
    <Stack gap="xs">
      <Title order={2}>{t.choices}</Title>
      <Facts
        rows={[
          [wordOf(decisions, credit), yes(shown(money.amount), difference === 0 ? null : differs)],
          [wordOf(decisions, back), no(shown(money.amount))],
        ]}
      />
    </Stack>
  );
}
