import { Button, Group, Menu } from '@mantine/core';
import { useState } from 'react';
import { ActionButton } from '../../../parts/action.tsx';
import { Failed } from '../../../parts/failed.tsx';
import { useOperation } from '../../../parts/live.ts';
import { Section } from '../../../parts/section.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { Timeline } from '../../../parts/timeline.tsx';
import {
  type ExportFormat,
  exportReport,
  type ReportQuery,
  saveExport,
} from '../../../queries/advertiser/report.ts';
import { reportTexts } from '../../../texts/advertiser/report.ts';

const FORMATS = ['csv', 'xlsx', 'jsonl'] as const satisfies readonly ExportFormat[];

/** A short report is saved at once; a long one leads to the operation that writes it. */
export function ExportMenu(props: { ask: ReportQuery; onOperation: (id: number) => void }) {
  const { ask, onOperation } = props;
  const t = useTexts(reportTexts);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const save = (format: ExportFormat): void => {
    setBusy(true);
    setError(null);
    exportReport({ ...ask, format })
      .then((operation) => {
        if (operation !== null) onOperation(operation);
      })
      .catch((raised: unknown) => setError(raised as Error))
      .finally(() => setBusy(false));
  };
  return (
    <Group gap="xs">
      {error !== null && <Failed error={error} />}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button loading={busy}>{t.download}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FORMATS.map((format) => (
            <Menu.Item key={format} onClick={() => save(format)}>
              {t.formats[format]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

/** The file of a long report, as it is written; it can be fetched for a day. */
export function ExportProgress({ id }: { id: number }) {
  const t = useTexts(reportTexts);
  const { operation, error, seenAt } = useOperation('GET /api/advertiser/operations/{id}', id);
  if (operation === undefined) return error === null ? null : <Failed error={error} />;
  const { rows, total_rows: total } = (operation.progress ?? {}) as Record<string, unknown>;
  const counted = { ...operation, progress: { done: rows, total } };
  const { url } = (operation.result ?? {}) as { url?: string };
  const file = /exports\/(\d+)\/file/.exec(url ?? '')?.[1];
  return (
    <Section title={t.exporting}>
      <Timeline operation={counted} error={error} seenAt={seenAt} phases={t.exportPhases} />
      {file !== undefined && (
        <Group>
          <ActionButton
            action={{ label: t.exported, run: async () => await saveExport(Number(file)) }}
          />
        </Group>
      )}
    </Section>
  );
}
