import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { HistoryEntry } from '../../client/routes.ts';
import { history } from '../texts/history.ts';
import { RowAction } from './action.tsx';
import { useTexts } from './texts.ts';
import { isKept } from './undo-change.ts';
import type { Undoing } from './undo-dialog.tsx';

const UndoDialog = lazy(async () => ({
  default: (await import('./undo-dialog.tsx')).UndoDialog,
}));

/** Of a history: an owner's own edit. What was made, moved, decided or paid has other ways back, or none. */
export const isEdit = ({ by, action, changes }: HistoryEntry): boolean =>
  by === 'account' && action.endsWith('.update') && changes.length > 0;

/** The way back from one change of a record, beside it in the history. */
export function Undo({ route, ...undoing }: Omit<Undoing, 'close'> & { route: string }) {
  const t = useTexts(history);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <RowAction
        action={{
          label: t.undo,
          route,
          refusal: isKept(undoing.changes) ? null : t.notKept,
          run: async () => open(),
          opens: true,
        }}
      />
      {isOpen && (
        <Suspense>
          <UndoDialog {...undoing} close={close} />
        </Suspense>
      )}
    </>
  );
}
