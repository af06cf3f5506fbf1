import { Alert, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { Loading } from '../../../../parts/loading.tsx';
import { useWrite } from '../../../../api.ts';
import { fileEnd } from '../../../../may/payout.ts';
import type { Action } from '../../../../parts/action.tsx';
import { FailedPage } from '../../../../parts/failed-page.tsx';
import { Page } from '../../../../parts/page.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { State } from '../../../../parts/state.tsx';
import { SubjectTimeline } from '../../../../parts/subject-timeline.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { formatTime, When } from '../../../../parts/time.tsx';
import { REFRESH_MS } from '../../../../parts/refresh.ts';
import {
  type Evidence,
  type WithdrawalPage,
  returnWithdrawal,
  withdrawal,
} from '../../../../queries/operator/money.ts';
import { finance } from '../../../../texts/finance.ts';
import { operator } from '../../../../texts/operator.ts';
import { payoutWord } from '../../../../texts/payout-word.ts';
import { payoutBoard } from '../../../../texts/payout-board.ts';
import { titles } from '../../../../texts/titles.ts';
import { PartyLink } from '../-party/party-link.tsx';
import { Findings } from '../tasks/-review/findings.tsx';
import { Evidence as EvidenceShown } from '../-shown/evidence.tsx';
import { FileBack } from '../-shown/file-back.tsx';
import { OldFiles } from '../-shown/old-files.tsx';
import { EvidenceInput } from '../-shown/evidence-input.tsx';
import { useReasonWords } from '../-shown/reason-words.ts';
import { SubjectTasks } from '../-shown/subject-tasks.tsx';
import { useTakeFile } from '../-shown/take-file.ts';
import { WaitingApprovals } from '../-shown/waiting-approvals.tsx';
import { WithdrawalFacts } from '../-shown/withdrawal-facts.tsx';

const STEPS = ['GET /api/admin/withdrawals/{id}'] as const;
const MOVING = new Set(['PENDING', 'RISK_HOLD', 'APPROVED', 'PROCESSING', 'UNKNOWN']);

export const Route = createFileRoute('/operator/_in/withdrawals/$id')({
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(withdrawal(Number(id)));
  },
  staticData: { title: (language) => titles[language].operatorWithdrawals },
  component: Withdrawal,
});

function Withdrawal() {
  const t = useTexts(finance);
  const list = useTexts(operator).withdrawals;
  const { language, timeZone } = usePreferences();
  const id = Number(Route.useParams().id);
  const { data, error, refetch } = useQuery({
    ...withdrawal(id),
    refetchInterval: ({ state }) => (MOVING.has(state.data?.status ?? '') ? REFRESH_MS : false),
  });
  const actions = useActions(id, data);
  if (error !== null && data === undefined)
    return <FailedPage error={error} again={() => void refetch()} />;
  if (data === undefined) return <Loading height={320} />;
  return (
    <Page
      title={t.withdrawal(id)}
      beside={<State state={data.status} />}
      crumbs={[{ text: list, to: '/operator/withdrawals' }]}
      lead={<PartyLink side="publisher" id={data.publisher_id} name={data.publisher_name} />}
      actions={actions}
    >
      {data.status === 'APPROVED' && data.not_before !== null && (
        <Alert color="blue" variant="light">
          {t.coolingOff(formatTime(data.not_before, language, timeZone))}
        </Alert>
      )}
      {data.status === 'UNKNOWN' && (
        <Alert color="yellow" variant="light">
          {data.task_id === null ? t.unknownAsked : t.unknown}
        </Alert>
      )}
      <OldFiles files={oldFilesOf(data)} />
      <WaitingApprovals of={{ kind: 'withdrawal_return', subject: String(id) }} />
      <SubjectTasks type="withdrawal" id={id} />
      <WithdrawalFacts withdrawal={data} />
      <SubjectTimeline realm="admin" subject="withdrawal" id={id} stale={STEPS} />
      <FileBack withdrawal={data} />
      <Shown evidence={data.evidence} />
      {data.reasons.length > 0 && <WhyNot reasons={data.reasons} />}
      <Stack gap="xs">
        <Title order={2}>{t.findings}</Title>
        <Findings findings={data.findings as Parameters<typeof Findings>[0]['findings']} />
      </Stack>
    </Page>
  );
}

/** Those that it was in, and that the bank has although they were taken back. */
const oldFilesOf = ({ file_take_back: { earlier } }: WithdrawalPage) =>
  earlier
    .filter(({ bank_has_it_at: at }) => at !== null)
    .map(({ reference, bank_has_it_at: at }) => ({ reference, withdrawal_ids: [], at }));

/** What operators showed for what they said became of it. */
function Shown({ evidence }: Pick<WithdrawalPage, 'evidence'>) {
  const t = useTexts(payoutBoard);
  if (evidence.length === 0) return null;
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={2}>{t.evidence}</Title>
      {evidence.map(({ file, said, operator: by, at }) => (
        <div key={`${said} ${at}`}>
          <Text size="sm">
            {wordOf(t.said, said)} · {by} · <When at={at} />
          </Text>
          <EvidenceShown file={file} />
        </div>
      ))}
    </Stack>
  );
}

function WhyNot({ reasons }: Pick<WithdrawalPage, 'reasons'>) {
  const t = useTexts(payoutBoard);
  return (
    <Stack gap="xs">
      <Title order={2}>{t.whyNot}</Title>
      <Text size="sm">{useReasonWords()(reasons)}</Text>
    </Stack>
  );
}

function useActions(id: number, data: WithdrawalPage | undefined): Action[] {
  const t = useTexts(finance);
  const [reference, setReference] = useState('');
  const [evidence, setEvidence] = useState<Evidence | null>(null);
  const { fileEnd: ended } = useTexts(payoutWord);
  const take = useTakeFile();
  const { mutateAsync } = useWrite(returnWithdrawal);
  const end = fileEnd(data?.payout ?? null);
  return [
    {
      label: t.file,
      refusal: end === null ? null : ended[end],
      route: 'GET /api/admin/withdrawals/{id}/payout-file',
      run: async () => await take(id),
    },
    {
      label: t.sentBack,
      danger: true,
      refusal: data?.status === 'PAID' ? null : t.onlyPaid,
      confirm: {
        title: t.returnTitle,
        body: (
          <Stack gap="xs">
            <Text size="sm">{t.returnHelp}</Text>
            <TextInput
              label={t.returnReference}
              value={reference}
              maxLength={140}
              onChange={(event) => setReference(event.currentTarget.value)}
            />
            <EvidenceInput value={evidence} onChange={setEvidence} />
          </Stack>
        ),
      },
      run: async () => {
        const shown = evidence === null ? {} : { evidence_id: evidence.id };
        await mutateAsync({ path: { id }, body: { reference, ...shown } });
        setEvidence(null);
      },
      done: t.returnDone,
    },
  ];
}
