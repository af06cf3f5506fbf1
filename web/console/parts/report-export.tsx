import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answer, AskOf } from '../../client/client.ts';
import { api, saveFile } from '../api.ts';
import { common } from '../texts/common.ts';
import { report } from '../texts/report.ts';
import { Failed } from './failed.tsx';
import { hasEnded, type OperationRoute, useOperation } from './live.ts';
import { Menu, MenuItem } from './menu.tsx';
import { useTexts } from './texts.ts';
import { When } from './time.tsx';

/** The routes of one realm. */
export interface ExportRoutes {
  ask: 'GET /api/publisher/statistics/export' | 'GET /api/advertiser/statistics/export';
  file:
    | 'GET /api/publisher/statistics/exports/{id}/file'
    | 'GET /api/advertiser/statistics/exports/{id}/file';
  operation: OperationRoute;
}

const FORMATS = [
  { format: 'csv', name: 'CSV' },
  { format: 'xlsx', name: 'Excel' },
  { format: 'jsonl', name: 'JSON Lines' },
] as const;

/** A short report is saved at once; a long one is written meanwhile, and fetched when it is there. */
export function useExport(routes: ExportRoutes, onOperation: (id: number | undefined) => void) {
  const [error, setError] = useState<Error | null>(null);
  const [isAsking, setAsking] = useState(false);
  const begin = async (query: object): Promise<void> => {
    setError(null);
    onOperation(undefined);
    setAsking(true);
    try {
      const ask = [{ query }] as unknown as AskOf<ExportRoutes['ask']>;
      const { blob, name = 'report' } = await api(routes.ask).file(routes.ask, ...ask);
      // The answer says by its type whether it is the file or what to wait for.
      if (blob.type.includes('application/json')) {
        const { data } = JSON.parse(await blob.text()) as { data: Answer<ExportRoutes['ask']> };
        onOperation(data.operation.id);
      } else save(blob, name);
    } catch (raised) {
      setError(raised as Error);
    } finally {
      setAsking(false);
    }
  };
  return { begin, isAsking, error };
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export function ExportMenu({ busy, begin }: { busy: boolean; begin: (format: string) => void }) {
  const t = useTexts(report);
  return (
    <Menu
      button={(props) => (
        <Button variant="default" data-opens loading={busy} {...props}>
          {t.export}
        </Button>
      )}
    >
      {FORMATS.map(({ format, name }) => (
        <MenuItem key={format} onClick={() => begin(format)}>
          {t.exportAs(name)}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** A long export as it goes on, and its file at the end. */
export function ExportProgress({ routes, id }: { routes: ExportRoutes; id: number }) {
  const t = useTexts(report);
  const { operation, error } = useOperation(routes.operation, id);
  if (operation === undefined) return error === null ? null : <Failed error={error} />;
  const { rows = 0, total_rows: total = null } = (operation.progress ?? {}) as {
    rows?: number;
    total_rows?: number | null;
  };
  const fileId = operation.subject?.id;
  const { expires_at: until } = (operation.result ?? {}) as { expires_at?: string };
  if (operation.status === 'failed') return <Failed error={new Error(t.exportFailed)} />;
  if (hasEnded(operation) && fileId !== undefined) {
    return <ReadyExport routes={routes} id={fileId} until={until} />;
  }
  return (
    <Alert color="blue" variant="light" aria-live="polite">
      <Stack gap="xs">
        <Text size="sm">{t.exporting}</Text>
        <Text size="sm">{t.rowsWritten(rows)}</Text>
        {total !== null && total > 0 && (
          <Progress value={(rows / total) * 100} aria-label={t.exporting} />
        )}
      </Stack>
    </Alert>
  );
}

/** The file of an export: to be fetched until it is removed, and then that is said. */
export function ReadyExport(props: {
  routes: ExportRoutes;
  id: number;
  until?: string | undefined;
}) {
  const { routes, id, until } = props;
  const t = useTexts(report);
  const c = useTexts(common);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => await saveFile(routes.file, { path: { id } }),
  });
  return (
    <Alert color="blue" variant="light" aria-live="polite">
      <Stack gap="xs">
        <Text size="sm">{t.exportReady}</Text>
        {error !== null && <Failed error={error} />}
        <Group gap="sm">
          <Button size="compact-sm" loading={isPending} onClick={() => mutate()}>
            {c.download}
          </Button>
          {until !== undefined && (
            <Text size="sm">
              {t.exportUntil} <When at={until} />
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}
