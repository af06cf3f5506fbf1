import { Title } from '@mantine/core';
import type { MoneyToSendBack } from '../../../../../../client/routes.ts';
import { Facts } from '../../../../../parts/facts.tsx';
import { Money } from '../../../../../parts/money.tsx';
import { NONE } from '../../../../../parts/none.tsx';
import { useTexts } from '../../../../../parts/texts.ts';
import { When } from '../../../../../parts/time.tsx';
import { finance } from '../../../../../texts/finance.ts';
import { receipt } from '../../../../../texts/receipt.ts';
import { subject } from '../../../../../texts/subject.ts';
import { PageLink } from '../../-shown/page-link.tsx';
import { useReasonWord } from '../../-shown/reason-words.ts';

/** For whoever sends it by hand: how much, to whom, under what it was paid, and why it goes back. */
export function WayBackFacts({ way }: { way: MoneyToSendBack }) {
  const t = useTexts(receipt);
  const f = useTexts(subject).fields;
  const { methods } = useTexts(finance);
  const { balance_refund_id: request, pay_currency: payCurrency } = way;
  return (
    <>
      <Title order={2}>{t.toSend}</Title>
      <Facts
        rows={[
          [t.sum, <Money key="s" amount={way.amount} currency={way.currency} />],
          ...(payCurrency === null
            ? []
            : ([
                [t.paySum, <Money key="p" amount={way.pay_amount} currency={payCurrency} />],
              ] as const)),
          [f.method, methods[way.method]],
          ...(way.method === 'BANK' || way.method === 'OFFLINE'
            ? ([[t.payer, way.payer ?? t.payerUnknown]] as const)
            : []),
          [t.account, way.account_name],
          [t.legalName, way.legal_name ?? t.notVerified],
          [t.paidUnder, <code key="u">{way.paid_under}</code>],
          [t.paidAt, <When key="w" at={way.received_at} />],
          [t.order, <code key="o">{way.order_reference}</code>],
          [t.whyBack, <Why key="y" way={way} />],
          [t.askedBy, way.asked_by],
          ...(request === null
            ? []
            : ([
                [
                  t.request,
                  <PageLink key="r" to={`/operator/refunds/${request}`}>
                    {t.request} {request}
                  </PageLink>,
                ],
              ] as const)),
        ]}
      />
      <Title order={2}>{t.itsOrder}</Title>
    </>
  );
}

/** The reasons that were named, in the catalogue's words, and whatever was said beside them. */
function Why({ way: { reasons, why } }: { way: MoneyToSendBack }) {
  const wordFor = useReasonWord('deposit_review', reasons.length > 0);
  const said = [...reasons.map((code) => wordFor({ code })), ...(why === null ? [] : [why])];
  return said.length === 0 ? NONE : said.join(' · ');
}
