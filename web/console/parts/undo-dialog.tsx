import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient, type UseQueryOptions } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Loading } from './loading.tsx';
import { ApiError } from '../../client/client.ts';
import { common } from '../texts/common.ts';
import { history } from '../texts/history.ts';
import { Dialog } from './dialog.tsx';
import { Diff } from './diff.tsx';
import { ifMatch } from './edit-form.tsx';
import { Failed } from './failed.tsx';
import { useFieldNames } from './history-list.tsx';
import { useTexts } from './texts.ts';
import { told } from './toast.ts';
import { type Told, undoOf } from './undo-change.ts';

export interface Undoing {
  /** What the history tells of it. */
  changes: readonly Told[];
  /** The record that was changed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- keys of queries are of many shapes
  query: UseQueryOptions<any, Error, any, any>;
  /** Writes these fields over that version. */
  send: (ask: { headers: object; body: Values }) => Promise<unknown>;
  close: () => void;
}

type Values = Record<string, unknown>;

const UNREAD = { body: null, changes: null, conflict: null };

/** Says what would be written back before it is, or what stands in the way: by the record as it is now. */
export function UndoDialog({ changes, query, send, close }: Undoing) {
  const t = useTexts(history);
  const c = useTexts(common);
  const names = useFieldNames();
  /** What it is sent for: the record that its answer brings has none of it to undo any more. */
  const [sentFor, setSentFor] = useState<Values>();
  const [refused, setRefused] = useState<Error | null>(null);
  const { data, error, isFetching, refetch } = useQuery<Values>({
    ...query,
    staleTime: 0,
  });
  // What was read before may be older than what others have done.
  const record = sentFor ?? (isFetching ? undefined : data);
  const undo = record === undefined ? UNREAD : undoOf(changes, record);
  const hasConflict = undo.conflict !== null;
  const queries = useQueryClient();
  // Who came in between may have done so after the history below was read.
  useEffect(() => {
    if (!hasConflict) return;
    void queries.invalidateQueries({
      predicate: ({ queryKey: [route] }) => String(route).endsWith('/history'),
    });
  }, [hasConflict, queries]);
  const run = async (body: Values): Promise<void> => {
    setSentFor(record);
    setRefused(null);
    try {
      await send({ headers: ifMatch(Number(record?.['version'])), body });
      close();
      told(t.undone);
    } catch (raised) {
      setRefused(raised as Error);
      if (raised instanceof ApiError && raised.status === 412) await refetch();
    } finally {
      setSentFor(undefined);
    }
  };
  return (
    <Dialog onClose={close} title={t.undoTitle} centered size="lg">
      <Stack>
        {error !== null && <Failed error={error} again={() => void refetch()} />}
        {record === undefined && error === null && <Loading height={120} />}
        {undo.conflict !== null && (
          <Alert color="yellow" variant="light" title={t.changedSince} role="alert">
            {t.changedSinceHelp}
            <Diff changes={undo.conflict} names={names} />
          </Alert>
        )}
        {undo.changes !== null && (
          <>
            <Text size="sm">{t.undoLead}</Text>
            <Diff changes={undo.changes} names={names} />
          </>
        )}
        {refused !== null && !hasConflict && <Failed error={refused} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {hasConflict ? c.close : c.cancel}
          </Button>
          {undo.body !== null && (
            <Button loading={sentFor !== undefined} onClick={() => void run(undo.body)}>
              {t.undoTitle}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
