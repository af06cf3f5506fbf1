import { Alert, Code, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { Loading } from '../../../../parts/loading.tsx';
import { useWrite } from '../../../../api.ts';
import type { Action } from '../../../../parts/action.tsx';
import { FailedPage } from '../../../../parts/failed-page.tsx';
import { Facts } from '../../../../parts/facts.tsx';
import { Page } from '../../../../parts/page.tsx';
import { ApprovalSubject, AskedInTasks } from '../-shown/approval-subject.tsx';
import { State } from '../../../../parts/state.tsx';
import { useMarks, useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { REFRESH_MS } from '../../../../parts/refresh.ts';
import { profile } from '../../../../queries/operator/account.ts';
import {
  approval as read,
  type ApprovalPage,
  approve,
  refuse,
  withdraw,
} from '../../../../queries/operator/approval.ts';
import { approval } from '../../../../texts/approval.ts';
import { operator } from '../../../../texts/operator.ts';
import { titles } from '../../../../texts/titles.ts';
import { useFactName, useShownFact } from './-fact.tsx';
import { Holder } from './-holder.tsx';
import { TermChange } from './-term.tsx';

export const Route = createFileRoute('/operator/_in/approvals/$id')({
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(read(Number(id)));
  },
  staticData: { title: (language) => titles[language].operatorApprovals },
  component: ApprovalOf,
});

function ApprovalOf() {
  const t = useTexts(approval);
  const { colon } = useMarks();
  const list = useTexts(operator).approvals;
  const id = Number(Route.useParams().id);
  const { data, error, refetch } = useQuery({
    ...read(id),
    // A colleague may decide it, or take it back, while one looks.
    refetchInterval: ({ state }) => (state.data?.state === 'PROPOSED' ? REFRESH_MS : false),
  });
  const actions = useDecisions(id, data);
  const shownAs = useShownFact();
  const nameOf = useFactName();
  if (error !== null && data === undefined)
    return <FailedPage error={error} again={() => void refetch()} />;
  if (data === undefined) return <Loading height={320} />;
  return (
    <Page
      title={t.number(id)}
      beside={<State state={data.state} words={t.states[data.state]} />}
      crumbs={[{ text: list, to: '/operator/approvals' }]}
      actions={actions}
    >
      {data.state === 'PROPOSED' && !data.current && (
        <Alert color="yellow" variant="light">
          {t.changed}
        </Alert>
      )}
      <Facts
        rows={[
          [t.of, <ApprovalSubject key="of" of={data} />],
          [t.maker, <Maker key="maker" of={data} />],
          [t.checker, data.checker ?? (data.alone ? t.alone : null)],
          [t.asked, <When key="asked" at={data.created_at} />],
          [t.why, data.note],
        ]}
      />
      <Stack gap="xs">
        <Title order={2}>{t.content}</Title>
        <Facts
          rows={data.content.map(
            ({ name, value }) => [nameOf(name), shownAs(data, name, value)] as const,
          )}
        />
        <Text size="xs" c="dimmed">
          {t.hash}
          {colon}
          <Code className="breaks">{data.content_hash}</Code>
        </Text>
      </Stack>
      {data.state === 'PROPOSED' && !data.decided_here && <AskedInTasks of={data} />}
      {data.kind === 'money_term' && <TermChange of={data} />}
      {data.holder !== null && <Holder page={data} holder={data.holder} />}
    </Page>
  );
}

/** Whoever decides should know when nobody stands behind it any more. */
function Maker({ of: { maker, maker_suspended: isOut } }: { of: ApprovalPage }) {
  const t = useTexts(approval);
  return (
    <>
      {maker ?? t.platform} {isOut && <State state="SUSPENDED" words={t.makerOut} />}
    </>
  );
}

function useDecisions(id: number, data: ApprovalPage | undefined): Action[] {
  const t = useTexts(approval);
  const [note, setNote] = useState('');
  const { data: me } = useQuery(profile);
  const path = { id };
  const approving = useWrite(approve);
  const refusing = useWrite(refuse);
  const withdrawing = useWrite(withdraw);
  if (data === undefined) return [];
  const over = data.state === 'PROPOSED' ? null : t.decided;
  const closed = data.decided_here ? over : t.elsewhere;
  const isMine = me?.id === data.maker_id;
  const isAboutMe = data.kind.startsWith('operator') && data.subject === String(me?.id);
  const foreign = closed ?? (isMine ? t.notYours : isAboutMe ? t.aboutYou : null);
  return [
    {
      label: t.approve,
      refusal: foreign ?? (data.current ? null : t.changed),
      confirm: { title: t.approveTitle, body: <Text size="sm">{t.approveHelp}</Text> },
      run: async () => await approving.mutateAsync({ path }),
      done: t.done,
    },
    {
      label: t.refuse,
      danger: true,
      refusal: foreign,
      confirm: {
        title: t.refuseTitle,
        body: (
          <TextInput
            label={t.why}
            value={note}
            maxLength={500}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        ),
      },
      run: async () => await refusing.mutateAsync({ path, body: { note } }),
      done: t.done,
    },
    {
      label: t.withdraw,
      refusal: closed ?? (isMine ? null : t.onlyMaker),
      run: async () => await withdrawing.mutateAsync({ path }),
      done: t.done,
    },
  ];
}
