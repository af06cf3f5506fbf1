import { Group, Stack, Text, Title } from '@mantine/core';
import { type Column, Rows } from '../../../../parts/list-page.tsx';
import { RowLink } from '../../../../parts/row-link.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { Since } from '../../../../parts/time.tsx';
import type { Approval } from '../../../../queries/operator/approval.ts';
import type { Recovery } from '../../../../queries/operator/recovery.ts';
import { approval as approvalTexts } from '../../../../texts/approval.ts';
import { desk } from '../../../../texts/desk.ts';
import { operator } from '../../../../texts/operator.ts';
import { ApprovedThing } from '../-shown/approval-subject.tsx';
import { SHOWN_MAX, useWaitingBeside } from '../-shown/use-waiting-beside.ts';

type Words = Same<(typeof desk)['en']>;
type Me = ReturnType<typeof useWaitingBeside>['me'];

/** `id` tells rows apart; of two lists, so those of one are below nought. */
type Waits = { id: number; since: string; me: Me } & (
  | { of: 'approval'; row: Approval }
  | { of: 'recovery'; row: Recovery }
);

const PAGES = { approval: '/operator/approvals', recovery: '/operator/recoveries' } as const;
const LOST = '/operator/recoveries?status=WAITING';

/** The heads of the queue below, so that one reads both as one. */
const COLUMNS: readonly Column<Waits, Words>[] = [
  { key: 'what', title: (t) => t.what, cell: (each) => <What each={each} /> },
  { key: 'kind', title: (t) => t.kind, cell: ({ of }, t) => t.beside[of] },
  { key: 'due', title: (t) => t.due, cell: (_each, t) => t.noDue },
  { key: 'opened', title: (t) => t.opened, cell: ({ since }) => <Since at={since} /> },
  { key: 'holder', title: (t) => t.holder, cell: (each) => <Whose each={each} /> },
];

/** What waits and is no task, in the order of the queue: none of it has a date, so the longest first. */
export function WaitingBeside() {
  const t = useTexts(desk);
  const { asked, lost, me, total } = useWaitingBeside();
  if (total === 0) return null;
  const rows: Waits[] = [
    ...(asked?.items ?? []).map(
      (row) => ({ id: row.id, since: row.created_at, me, of: 'approval', row }) as const,
    ),
    ...(lost?.items ?? []).map(
      (row) => ({ id: -row.id, since: row.created_at, me, of: 'recovery', row }) as const,
    ),
  ].toSorted((a, b) => a.since.localeCompare(b.since));
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t.besideTitle(total)}
      </Title>
      <Rows
        label={t.besideLabel}
        rows={rows.slice(0, SHOWN_MAX)}
        columns={COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
      />
      {total > SHOWN_MAX && (
        <Group gap="sm">
          <Text size="sm">{t.besideMore(total - SHOWN_MAX)}</Text>
          {(asked?.total ?? 0) > 0 && (
            <RowLink to={`${PAGES.approval}?state=PROPOSED`}>{t.beside.approval}</RowLink>
          )}
          {(lost?.total ?? 0) > 0 && <RowLink to={LOST}>{t.beside.recovery}</RowLink>}
        </Group>
      )}
    </Stack>
  );
}

/** The keys of the queue move over these as well. */
function What({ each }: { each: Waits }) {
  const t = useTexts(desk);
  if (each.of === 'recovery') {
    return (
      <RowLink to={LOST} data-task={each.id}>
        {each.row.username ?? t.besideNumber(each.row.id)}
      </RowLink>
    );
  }
  return (
    <RowLink to={`${PAGES.approval}/${each.row.id}`} data-task={each.id}>
      <ApprovedThing of={each.row} />
    </RowLink>
  );
}

/** Who asked, and why the reader is not the one who decides. */
function Whose({ each }: { each: Waits }) {
  const t = useTexts(desk);
  const { notYours, platform } = useTexts(approvalTexts);
  const { roles } = useTexts(operator);
  const { me, row, of } = each;
  if (of === 'approval') {
    return me?.id === row.maker_id ? notYours : t.askedBy(row.maker ?? platform);
  }
  if (row.kind !== 'OPERATOR') return t.nobody;
  if (me?.role !== 'ADMIN') return t.notYours(roles.ADMIN);
  return me.username === row.username ? t.besideYours : t.nobody;
}
