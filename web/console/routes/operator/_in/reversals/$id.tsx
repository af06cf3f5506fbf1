import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Loading } from '../../../../parts/loading.tsx';
import { useWrite } from '../../../../api.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { FailedPage } from '../../../../parts/failed-page.tsx';
import { Facts } from '../../../../parts/facts.tsx';
import { Page } from '../../../../parts/page.tsx';
import { idParams } from '../../../../parts/search.ts';
import { Section } from '../../../../parts/section.tsx';
import { State } from '../../../../parts/state.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { cancelReversal, reversalOf } from '../../../../queries/operator/reversal.ts';
import { reversal } from '../../../../texts/reversal.ts';
import { titles } from '../../../../texts/titles.ts';
import { ReversalPreview } from '../-shown/reversal-preview.tsx';

const FOLLOW_MS = 3_000;
const OPEN = new Set(['PREPARING', 'PREVIEW', 'APPLYING']);

export const Route = createFileRoute('/operator/_in/reversals/$id')({
  params: idParams,
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(reversalOf(id));
  },
  staticData: { title: (language) => titles[language].operatorReversals },
  component: Reversal,
});

function Reversal() {
  const t = useTexts(reversal);
  const { id } = Route.useParams();
  const { mutateAsync } = useWrite(cancelReversal);
  const { data, error, refetch } = useQuery({
    ...reversalOf(id),
    refetchInterval: ({ state }) => (OPEN.has(state.data?.status ?? '') ? FOLLOW_MS : false),
  });
  if (error !== null && data === undefined)
    return <FailedPage error={error} again={() => void refetch()} />;
  if (data === undefined) return <Loading height={320} />;
  const mayCancel = data.status === 'PREPARING' || data.status === 'PREVIEW';
  return (
    <Page
      title={t.name(id)}
      beside={<State state={data.status} />}
      crumbs={[{ text: t.title, to: '/operator/reversals' }]}
      main={
        data.task_id === null ? undefined : (
          <ButtonLink to="/operator/tasks/$id" params={{ id: String(data.task_id) }}>
            {t.decide}
          </ButtonLink>
        )
      }
      actions={[
        {
          label: t.cancel,
          danger: true,
          refusal: mayCancel ? null : t.ended,
          confirm: {
            title: t.cancelTitle,
            body: <Text size="sm">{t.cancelBody}</Text>,
            keep: t.keep,
          },
          run: async () => await mutateAsync({ path: { id } }),
          done: t.cancelled,
        },
      ]}
    >
      {data.status === 'PREPARING' && (
        <Alert color="blue" variant="light">
          {t.preparing}
        </Alert>
      )}
      {data.failure !== null && (
        <Alert color="red" variant="light">
          {t.tooMany}
        </Alert>
      )}
      <ReversalPreview reversal={data} />
      <Section title={t.timeline}>
        <Facts
          rows={data.timeline.map((step) => [
            wordOf(t.phases, step.phase),
            <When key={step.at} at={step.at} />,
          ])}
        />
      </Section>
    </Page>
  );
}
