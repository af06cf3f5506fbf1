import { Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { removalMeaning } from '../texts/removal-meaning.ts';
import { unbilled } from '../texts/unbilled.ts';
import { numberFormat, RATE } from './formats.ts';
import { type Column, Rows } from './list-page.tsx';
import { usePreferences } from './preferences.tsx';
import { type Same, type Tree, useTexts, wordOf } from './texts.ts';

type Words = Same<(typeof unbilled)['en']>;

/** What can be done about each reason, for whom it is told. */
export type Advice = Readonly<Record<string, string>>;

interface OfReason {
  id: number;
  reason: string;
  events: number;
  /** Of all that is shown, 0 to 1. */
  share: number;
}

interface Counted {
  reason: string | null;
  events: number;
}

const REASON: Column<OfReason, Words> = {
  key: 'reason',
  title: (t) => t.reason,
  cell: ({ reason }) => <Meaning reason={reason} />,
};
const FIGURES: readonly Column<OfReason, Words>[] = [
  {
    key: 'events',
    title: (t) => t.events,
    isNumber: true,
    cell: ({ events }) => events.toLocaleString('en'),
  },
  {
    key: 'share',
    title: (t) => t.share,
    isNumber: true,
    cell: ({ share }) => <Share share={share} />,
  },
];

function Share({ share }: { share: number }) {
  const { language } = usePreferences();
  return numberFormat(language, RATE).format(share);
}

function Meaning({ reason }: { reason: string }) {
  const t = useTexts(unbilled);
  const meaning: Tree = useTexts(removalMeaning);
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600}>
        {wordOf({ ...t.reasons, ...t.laterReasons }, reason)}
      </Text>
      {meaning[reason] !== undefined && (
        <Text size="xs" c="dimmed">
          {wordOf(meaning, reason)}
        </Text>
      )}
    </Stack>
  );
}

/** Each reason's sum, most first: what it means and, with `advice`, what to do about it. */
export function UnbilledReasons({
  items,
  advice,
}: {
  items: readonly Counted[];
  advice?: Advice | undefined;
}) {
  const t = useTexts(unbilled);
  const rows = useMemo(() => sumsOf(items), [items]);
  const help: readonly Column<OfReason, Words>[] =
    advice === undefined
      ? []
      : [{ key: 'advice', title: () => t.advice, cell: ({ reason }) => wordOf(advice, reason) }];
  return (
    <Rows
      label={t.byReason}
      rows={rows}
      columns={[REASON, ...help, ...FIGURES]}
      texts={t}
      rowKey={({ reason }) => reason}
    />
  );
}

function sumsOf(items: readonly Counted[]): readonly OfReason[] {
  const sums = new Map<string, number>();
  for (const { reason, events } of items) {
    sums.set(reason ?? '', (sums.get(reason ?? '') ?? 0) + events);
  }
  const total = items.reduce((sum, { events }) => sum + events, 0);
  return [...sums]
    .toSorted(([, one], [, other]) => other - one)
    .map(([reason, events], id) => ({ id, reason, events, share: events / total }));
}
