import type { Column } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import type { RefundPage } from '../../../../queries/operator/refund.ts';
import { finance } from '../../../../texts/finance.ts';
import type { refund } from '../../../../texts/refund.ts';
import { PageLink } from '../-shown/page-link.tsx';

export type Words = Same<(typeof refund)['en']>;

/** What a part that goes back and one that only would have in common. */
interface Part extends Pick<
  RefundPage['parts'][number],
  'deposit_id' | 'payment_method' | 'way' | 'amount'
> {
  currency: string;
}

const Way = ({ part, t }: { part: Part; t: Words }) => (
  <>
    {useTexts(finance).methods[part.payment_method]} · {t.ways[part.way]}
  </>
);

/** Which order paid it, how it goes back, and how much. */
export const PART_COLUMNS: readonly Column<Part, Words>[] = [
  {
    key: 'order',
    title: (t) => t.order,
    cell: (part, t) => (
      <PageLink to={`/operator/deposits/${part.deposit_id}`}>{t.orderOf(part.deposit_id)}</PageLink>
    ),
  },
  { key: 'way', title: (t) => t.way, cell: (part, t) => <Way part={part} t={t} /> },
  {
    key: 'amount',
    title: (t) => t.amount,
    isNumber: true,
    cell: (part) => <Money amount={part.amount} currency={part.currency} />,
  },
];
