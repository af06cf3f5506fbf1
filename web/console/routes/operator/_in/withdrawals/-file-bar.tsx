import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../../../client/client.ts';
import { useWrite } from '../../../../api.ts';
import { ActionButton } from '../../../../parts/action.tsx';
import classes from '../../../../parts/bulk-bar.module.css';
import { Facts } from '../../../../parts/facts.tsx';
import { Money } from '../../../../parts/money.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import {
  makePayoutFile,
  type OperatorWithdrawal,
  type withdrawals,
} from '../../../../queries/operator/money.ts';
import { payoutBoard } from '../../../../texts/payout-board.ts';
import { useTakeFile } from '../-shown/take-file.ts';

/** What is chosen goes to the bank in one file: how many and how much is said before it is made. */
export function FileBar(props: {
  query: ReturnType<typeof withdrawals>;
  chosen: ReadonlySet<number>;
  onChoose: (ids: ReadonlySet<number>) => void;
}) {
  const { query, chosen, onChoose } = props;
  const t = useTexts(payoutBoard);
  const { data } = useQuery(query);
  const { mutateAsync } = useWrite(makePayoutFile);
  const queries = useQueryClient();
  const take = useTakeFile();
  const rows = data?.items.filter(({ id }) => chosen.has(id)) ?? [];
  const [first] = rows;
  if (first === undefined) return null;
  return (
    <Group gap="xs" role="toolbar" aria-label={t.chosen(rows.length)} className={classes['bar']}>
      <Text size="sm" fw={600}>
        {t.chosen(rows.length)}
      </Text>
      <ActionButton
        size="compact-sm"
        variant="default"
        action={{
          label: t.make,
          route: 'POST /api/admin/withdrawals/payout-files',
          confirm: { title: t.makeTitle(rows.length), body: <FileContents rows={rows} /> },
          run: async () => {
            const payouts = rows.map(({ id, version }) => ({ id, version }));
            await mutateAsync({ body: { payouts } }).catch(async (error: unknown) => {
              // A colleague has made one of some of them: those go from the list.
              await queries.invalidateQueries({ queryKey: ['GET /api/admin/withdrawals'] });
              named(error);
            });
            await take(first.id);
            onChoose(new Set());
          },
          done: t.made,
        }}
      />
      <Button size="compact-sm" variant="subtle" onClick={() => onChoose(new Set())}>
        {t.none}
      </Button>
    </Group>
  );
}

/** Each refusal names its payout; at which place it was sent says nothing here. */
function named(error: unknown): never {
  if (!(error instanceof ApiError) || error.errors.length === 0) throw error;
  throw new Error(error.errors.map(({ message }) => message).join(' '));
}

/** To a cent, however many there are. */
const sumOf = (rows: readonly OperatorWithdrawal[]): number =>
  rows.reduce((cents, row) => cents + Math.round(row.arrival_amount * 100), 0) / 100;

/** What the file would hold, for whoever says yes to it. */
function FileContents({ rows }: { rows: readonly OperatorWithdrawal[] }) {
  const t = useTexts(payoutBoard);
  const currency = rows[0]?.currency ?? '';
  return (
    <Stack gap="xs">
      <Facts
        rows={[
          [t.transfers, rows.length],
          [t.total, <Money key="t" amount={sumOf(rows)} currency={currency} />],
        ]}
      />
      <Text size="sm">
        {rows.map(({ payout, id }) => payout?.external_ref ?? `WD-${id}`).join(', ')}
      </Text>
      <Text size="sm">{t.makeHelp}</Text>
    </Stack>
  );
}
