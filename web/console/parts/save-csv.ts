import type { Cell } from '../../../domain/report-columns.ts';
import { CSV_MARK, csvLine } from '../../../domain/report-text.ts';

/** What a page shows, as a file, written as the API writes its own. */
export const saveCsv = (name: string, rows: readonly (readonly Cell[])[]): void =>
  saveText(name, CSV_MARK + rows.map(csvLine).join(''));

export function saveText(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
