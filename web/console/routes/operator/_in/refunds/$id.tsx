import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Loading } from '../../../../parts/loading.tsx';
import { Facts } from '../../../../parts/facts.tsx';
import { FailedPage } from '../../../../parts/failed-page.tsx';
import { type Column, Rows } from '../../../../parts/list-page.tsx';
import { Money } from '../../../../parts/money.tsx';
import { NONE } from '../../../../parts/none.tsx';
import { Page } from '../../../../parts/page.tsx';
import { idParams } from '../../../../parts/search.ts';
import { Section } from '../../../../parts/section.tsx';
import { State } from '../../../../parts/state.tsx';
import { SubjectTimeline } from '../../../../parts/subject-timeline.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { type RefundPage, refundOf } from '../../../../queries/operator/refund.ts';
import { refund } from '../../../../texts/refund.ts';
import { titles } from '../../../../texts/titles.ts';
import { PartyLink } from '../-party/party-link.tsx';
import { PageLink } from '../-shown/page-link.tsx';
import { PART_COLUMNS, type Words } from './-part-columns.tsx';

const FOLLOW_MS = 3_000;
const OPEN = new Set(['REQUESTED', 'RETURNING']);
type Part = RefundPage['parts'][number] & { currency: string };

export const Route = createFileRoute('/operator/_in/refunds/$id')({
  params: idParams,
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(refundOf(id));
  },
  staticData: { title: (language) => titles[language].operatorRefunds },
  component: RefundShown,
});

const COLUMNS: readonly Column<Part, Words>[] = [
  ...PART_COLUMNS,
  { key: 'state', title: (t) => t.status, cell: ({ state }) => <State state={state} /> },
  {
    key: 'answer',
    title: (t) => t.answer,
    cell: ({ sent_reference: reference, answer }) => reference ?? answer ?? NONE,
  },
  { key: 'sent', title: (t) => t.sent, cell: ({ sent_at: at }) => <When at={at} /> },
  {
    key: 'task',
    title: () => '',
    cell: ({ task_id: task }, t) =>
      task !== null && <PageLink to={`/operator/tasks/${task}`}>{t.decide}</PageLink>,
  },
];

function RefundShown() {
  const t = useTexts(refund);
  const { id } = Route.useParams();
  const { data, error, refetch } = useQuery({
    ...refundOf(id),
    refetchInterval: ({ state }) => (OPEN.has(state.data?.status ?? '') ? FOLLOW_MS : false),
  });
  if (error !== null && data === undefined)
    return <FailedPage error={error} again={() => void refetch()} />;
  if (data === undefined) return <Loading height={320} />;
  const { approval_id: approval, currency } = data;
  const money = (amount: number) => <Money amount={amount} currency={currency} />;
  return (
    <Page
      title={t.name(id)}
      beside={<State state={data.status} isGood={data.status === 'RETURNED'} />}
      crumbs={[{ text: t.title, to: '/operator/refunds' }]}
    >
      <Facts
        rows={[
          [
            t.advertiser,
            <PartyLink
              key="a"
              side="advertiser"
              id={data.advertiser_id}
              name={data.advertiser_name}
            />,
          ],
          [t.amount, money(data.amount)],
          [t.held, money(data.held)],
          [t.sent, money(data.sent)],
          [t.released, money(data.released)],
          [t.reason, data.reason],
          [t.by, data.made_by],
          [t.when, <When key="w" at={data.created_at} />],
          [
            t.approval,
            approval !== null && (
              <PageLink key="p" to={`/operator/approvals/${approval}`}>
                {t.approvalOf(approval)}
              </PageLink>
            ),
          ],
          [t.ended, data.ended_at !== null && <When key="e" at={data.ended_at} />],
        ]}
      />
      <SubjectTimeline realm="admin" subject="balance_refund" id={id} />
      <Section title={t.parts}>
        <Rows
          label={t.parts}
          rows={data.parts.map((part) => ({ ...part, currency }))}
          columns={COLUMNS}
          texts={t}
          rowKey={(part) => part.id}
        />
      </Section>
    </Page>
  );
}
