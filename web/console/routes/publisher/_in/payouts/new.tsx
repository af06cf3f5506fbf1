import { createFileRoute } from '@tanstack/react-router';
import { ApiError } from '../../../../../client/client.ts';
import type { BankCard } from '../../../../../client/routes.ts';
import { useWrite } from '../../../../api.ts';
import { fixLink } from '../../../../parts/fix-link.tsx';
import { isUsable } from '../../../../may/payout.ts';
import { Form } from '../../../../parts/form.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Page } from '../../../../parts/page.tsx';
import { Reasons } from '../../../../parts/reasons.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { profile } from '../../../../queries/publisher/account.ts';
import { balance, cards, methods, request } from '../../../../queries/publisher/withdrawal.ts';
import { withdrawal } from '../../../../texts/withdrawal.ts';
import { titles } from '../../../../texts/titles.ts';
import { askOf, WithdrawFields, type WithdrawValues } from './-withdraw-fields.tsx';

const HERE = '/publisher/payouts/new';
const EMPTY: WithdrawValues = {
  amount: null,
  payment_method: null,
  bank_card_id: null,
  account_info: '',
};

/** Their usual one, else any, of those that can be paid to; with none of these the usual one, whose time is said. */
const chosenOf = (kept: readonly BankCard[]): BankCard | undefined => {
  const usual = kept.find((card) => card.is_default);
  return usual !== undefined && isUsable(usual) ? usual : (kept.find(isUsable) ?? usual);
};

export const Route = createFileRoute('/publisher/_in/payouts/new')({
  loader: ({ context: { queryClient } }) => {
    for (const query of [balance, cards, methods, profile]) {
      void queryClient.prefetchQuery(query as typeof balance);
    }
  },
  staticData: { title: (language) => titles[language].withdrawalWithdraw },
  component: Withdraw,
});

function Withdraw() {
  const t = useTexts(withdrawal);
  const navigate = Route.useNavigate();
  const { mutateAsync } = useWrite(request);
  const send = async (values: WithdrawValues): Promise<void> => {
    try {
      const { id } = await mutateAsync({ body: askOf(values) });
      await navigate({ href: `/publisher/payouts/${id}`, ignoreBlocker: true });
    } catch (error) {
      if (!(error instanceof ApiError && error.token === 'kyc_required')) throw error;
      await navigate({ to: '/publisher/kyc', search: { next: HERE }, ignoreBlocker: true });
    }
  };
  return (
    <Page
      title={t.withdraw}
      lead={t.withdrawLead}
      crumbs={[{ text: t.title, to: '/publisher/payouts' }]}
    >
      <KycFirst />
      <Loaded query={balance}>
        {({ withdrawable, debt }) => (
          <Loaded query={methods}>
            {({ items }) => (
              <Loaded query={cards}>
                {({ items: kept }) => (
                  <Form<WithdrawValues>
                    route="POST /api/publisher/withdrawals"
                    values={{
                      ...EMPTY,
                      payment_method:
                        items.find(({ available }) => available)?.payment_method ?? null,
                      bank_card_id: chosenOf(kept)?.id ?? null,
                    }}
                    submit={t.send}
                    send={send}
                  >
                    <WithdrawFields {...{ withdrawable, debt, methods: items, cards: kept }} />
                  </Form>
                )}
              </Loaded>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

/** No money leaves to somebody unknown; from the proof the way leads back here. */
function KycFirst() {
  const t = useTexts(withdrawal);
  return (
    <Loaded query={profile} height={0}>
      {({ kyc_status: kyc }) => {
        if (kyc === 'approved') return null;
        const link = fixLink(`/publisher/kyc?next=${encodeURIComponent(HERE)}`, t.prove);
        const isPending = kyc === 'pending';
        return (
          <Reasons
            title={t.prove}
            reasons={[{ key: kyc, text: isPending ? t.kycPending : t.kycFirst, fix: link }]}
          />
        );
      }}
    </Loaded>
  );
}
