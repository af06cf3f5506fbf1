import { useQueryClient } from '@tanstack/react-query';
import { saveFile } from '../../../../api.ts';
import { FILE_TAKEN, PAYOUT_FILE } from '../../../../queries/operator/money.ts';

/** Saves the bank file that a payout is in; it is at the bank from then on, for all that anybody knows. */
export function useTakeFile(): (id: number) => Promise<void> {
  const queries = useQueryClient();
  return async (id) => {
    await saveFile(PAYOUT_FILE, { path: { id } });
    await Promise.all(FILE_TAKEN.map((name) => queries.invalidateQueries({ queryKey: [name] })));
  };
}
