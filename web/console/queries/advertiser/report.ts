import { api, read, saveFile } from '../../api.ts';
import type { Answer, Ask } from '../../../client/client.ts';

export type ReportQuery = NonNullable<Ask<'GET /api/advertiser/statistics/report'>['query']>;
export type Report = Answer<'GET /api/advertiser/statistics/report'>;
export type ReportRow = Report['items'][number];
export type ExportFormat = 'csv' | 'xlsx' | 'jsonl';

export const report = (query: ReportQuery) =>
  read('GET /api/advertiser/statistics/report', { query });
export const campaignStats = (id: number, query: Omit<ReportQuery, 'campaign_id'>) =>
  read('GET /api/advertiser/campaigns/{id}/stats', { path: { id }, query });

const EXPORT = 'GET /api/advertiser/statistics/export';

/** A short report is saved at once; of a long one the operation that writes it is answered. */
export async function exportReport(
  query: ReportQuery & { format: ExportFormat },
): Promise<number | null> {
  const { blob, name } = await api(EXPORT).file(EXPORT, { query });
  if (name === undefined) {
    const accepted = JSON.parse(await blob.text()) as { data: Answer<typeof EXPORT> };
    return accepted.data.operation.id;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
  return null;
}

export const saveExport = async (id: number): Promise<void> =>
  await saveFile('GET /api/advertiser/statistics/exports/{id}/file', { path: { id } });
