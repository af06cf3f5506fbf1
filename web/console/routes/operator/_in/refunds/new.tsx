import { createFileRoute } from '@tanstack/react-router';
import { useWrite } from '../../../../api.ts';
import { MoneyField, TextAreaField } from '../../../../parts/fields.tsx';
import { Form } from '../../../../parts/form.tsx';
import { Page } from '../../../../parts/page.tsx';
import { numberOf, stated } from '../../../../parts/search.ts';
import { useTexts } from '../../../../parts/texts.ts';
import { told } from '../../../../parts/toast.ts';
import { type RefundBody, requestRefund } from '../../../../queries/operator/refund.ts';
import { refund } from '../../../../texts/refund.ts';
import { titles } from '../../../../texts/titles.ts';
import { Plan } from './-plan.tsx';
import { FoundField } from '../-shown/found-field.tsx';

export const Route = createFileRoute('/operator/_in/refunds/new')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({ advertiser_id: numberOf(raw['advertiser_id']) }),
  staticData: { title: (language) => titles[language].operatorRefunds },
  component: NewRefund,
});

interface Values {
  advertiser_id: number | null;
  amount: number | null;
  reason: string;
}

/** Without an amount it is all that can go back. */
const bodyOf = ({ advertiser_id: id, amount, reason }: Values): RefundBody => ({
  advertiser_id: Number(id),
  reason,
  ...(amount === null ? {} : { amount }),
});

function NewRefund() {
  const t = useTexts(refund);
  const navigate = Route.useNavigate();
  const { advertiser_id: advertiser } = Route.useSearch();
  const { mutateAsync } = useWrite(requestRefund);
  const values: Values = { advertiser_id: advertiser ?? null, amount: null, reason: '' };
  return (
    <Page title={t.ask} lead={t.askLead} crumbs={[{ text: t.title, to: '/operator/refunds' }]}>
      <Form<Values & Record<string, unknown>>
        values={values as never}
        route="POST /api/admin/balance-refunds"
        submit={t.send}
        send={async (given) => {
          const { id, status } = await mutateAsync({ body: bodyOf(given) });
          told(status === 'REQUESTED' ? t.waits : t.asked);
          await navigate({ to: '/operator/refunds/$id', params: { id }, ignoreBlocker: true });
        }}
      >
        {(form) => {
          const { advertiser_id: id, amount } = form.watch() as Values;
          return (
            <>
              <FoundField
                name="advertiser_id"
                label={t.advertiser}
                types={['advertiser']}
                required
              />
              <MoneyField name="amount" label={t.amount} help={t.amountHelp} />
              <Plan advertiser={id} amount={amount} />
              <TextAreaField
                name="reason"
                label={t.reason}
                help={t.reasonHelp}
                maxLength={500}
                required
              />
            </>
          );
        }}
      </Form>
    </Page>
  );
}
