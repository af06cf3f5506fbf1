import { Alert, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OwnConversion } from '../../../../client/routes.ts';
import { useWrite } from '../../../api.ts';
import { ActionButton } from '../../../parts/action.tsx';
import { type Column, List } from '../../../parts/list-page.tsx';
import { Money } from '../../../parts/money.tsx';
import { State } from '../../../parts/state.tsx';
import { type Same, useMarks, useTexts, wordOf } from '../../../parts/texts.ts';
import { When } from '../../../parts/time.tsx';
import { told } from '../../../parts/toast.ts';
import { useChoice } from '../../../parts/use-choice.ts';
import { decideMany, list } from '../../../queries/advertiser/conversion.ts';
import { conversionTexts } from '../../../texts/advertiser/conversion.ts';
import { trackerTexts } from '../../../texts/advertiser/tracker.ts';
import { conversionFound } from '../../../texts/conversion-found.ts';
import { ConversionReason } from './conversion-reason.tsx';
import { conversionStateOf } from './conversion-state.ts';

type Words = Same<(typeof conversionTexts)['en']>;

const COLUMNS: readonly Column<OwnConversion, Words>[] = [
  { key: 'when', title: (t) => t.when, cell: (row) => <When at={row.created_at} /> },
  {
    key: 'status',
    title: (t) => t.status,
    cell: (row, t) => (
      <Stack gap={2} align="flex-start">
        <State state={conversionStateOf(row.status)} />
        <Below row={row} t={t} />
      </Stack>
    ),
  },
  {
    key: 'tracker',
    title: (t) => t.about,
    cell: (row, t) => <About row={row} t={t} />,
  },
  {
    key: 'amount',
    title: (t) => t.amount,
    isNumber: true,
    cell: (row) => <Money amount={row.value} currency={row.currency} />,
  },
  {
    key: 'price',
    title: (t) => t.price,
    isNumber: true,
    cell: (row) => <Money amount={row.price} />,
  },
  {
    key: 'findings',
    title: (t) => t.findings,
    cell: (row, t) => {
      if (row.is_signed) return t.signed;
      return row.findings.length === 0 ? '—' : <Found row={row} />;
    },
  },
];

function Found({ row }: { row: OwnConversion }) {
  const found = useTexts(conversionFound);
  const marks = useMarks();
  return row.findings.map((finding) => found[finding]).join(marks.comma);
}

/** Whose it is, and below it the number that its shop gave it. */
function About({ row, t }: { row: OwnConversion; t: Words }) {
  const marks = useMarks();
  const names = [row.tracker_name, row.campaign_name].filter((name) => name !== null);
  return (
    <Stack gap={2}>
      {names.length === 0 ? '—' : names.join(marks.comma)}
      {row.txid !== null && (
        <Text size="xs" c="dimmed">
          {t.txid}
          {marks.colon}
          {row.txid}
        </Text>
      )}
    </Stack>
  );
}

/** When it is billed while it waits; afterwards why it is not. Beside its state: the table is wide. */
function Below({ row, t }: { row: OwnConversion; t: Words }) {
  const marks = useMarks();
  const said =
    row.status !== 'PENDING' ? (
      (row.note ?? (row.reason === null ? null : <ConversionReason reason={row.reason} />))
    ) : row.due_at === null ? (
      <>
        {t.due}
        {marks.colon}
        {t.dueNever}
        {row.decide_by !== null && (
          <>
            {marks.semicolon}
            {t.decideBy} <When at={row.decide_by} />
          </>
        )}
      </>
    ) : (
      <>
        {t.due}
        {marks.colon}
        <When at={row.due_at} />
      </>
    );
  return said === null ? null : (
    <Text size="xs" c="dimmed">
      {said}
    </Text>
  );
}

interface Props {
  query: Parameters<typeof list>[0];
  isFiltered: boolean;
  onPage: (page: number) => void;
}

/** An advertiser's conversions; the chosen ones are approved or rejected together. */
export function ConversionList({ query, isFiltered, onPage }: Props) {
  const t = useTexts(conversionTexts);
  const rows = list(query);
  const { events } = useTexts(trackerTexts);
  const choice = useChoice<OwnConversion>(
    rows.queryKey,
    ({ id, txid, event_type: type }) => `${wordOf(events, type)} ${txid ?? `#${id}`}`,
    ({ status }) => (status === 'PENDING' ? null : t.isDecided),
  );
  return (
    <Stack>
      <Decide chosen={choice.chosen} onDone={() => choice.onChoose(new Set())} />
      <List
        label={t.title}
        query={rows}
        columns={COLUMNS}
        texts={t}
        rowKey={(row) => row.id}
        empty={{ title: t.empty, next: <Text c="dimmed">{t.emptyHelp}</Text> }}
        searchEmpty={isFiltered ? { title: t.noneFound } : null}
        onPage={onPage}
        choice={choice}
      />
    </Stack>
  );
}

/** One or many: those that are not pending any more are told, and refuse none of the others. */
function Decide({ chosen, onDone }: { chosen: ReadonlySet<number>; onDone: () => void }) {
  const t = useTexts(conversionTexts);
  const { mutateAsync } = useWrite(decideMany);
  const [reason, setReason] = useState('');
  const [failed, setFailed] = useState(0);
  const decide = async (decision: { action: 'approve' } | { action: 'reject'; reason: string }) => {
    const outcome = await mutateAsync({ body: { ...decision, ids: [...chosen] } });
    setFailed(outcome.failed);
    setReason('');
    // Where none was, the words above say so alone.
    if (outcome.done > 0) told(t.decided);
    onDone();
  };
  const refusal = chosen.size === 0 ? t.noneChosen : null;
  return (
    <>
      {failed > 0 && (
        <Alert color="yellow" role="status" withCloseButton onClose={() => setFailed(0)}>
          {t.someFailed(failed)}
        </Alert>
      )}
      <Group gap="xs" role="toolbar" aria-label={t.chosen(chosen.size)}>
        <Text size="sm" fw={600}>
          {t.chosen(chosen.size)}
        </Text>
        <ActionButton
          size="compact-sm"
          variant="default"
          action={{
            label: t.approve,
            route: decideMany.route,
            refusal,
            confirm: { title: t.approveTitle, body: t.approveBody },
            run: async () => await decide({ action: 'approve' }),
          }}
        />
        <ActionButton
          size="compact-sm"
          variant="default"
          action={{
            label: t.reject,
            route: decideMany.route,
            refusal,
            confirm: {
              title: t.rejectTitle,
              body: (
                <Stack gap="xs">
                  {t.rejectBody}
                  <TextInput
                    label={t.rejectReason}
                    required
                    maxLength={500}
                    value={reason}
                    onChange={(event) => setReason(event.currentTarget.value)}
                    data-autofocus
                  />
                </Stack>
              ),
            },
            run: async () => {
              if (reason.trim() === '') throw new Error(t.noReason);
              await decide({ action: 'reject', reason: reason.trim() });
            },
            danger: true,
          }}
        />
      </Group>
    </>
  );
}
