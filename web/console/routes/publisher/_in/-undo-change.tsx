import type { ReactNode } from 'react';
import type { HistoryEntry } from '../../../../client/routes.ts';
import { useWrite } from '../../../api.ts';
import { isEdit, Undo } from '../../../parts/undo.tsx';
import * as site from '../../../queries/publisher/site.ts';
import * as zone from '../../../queries/publisher/zone.ts';

const KINDS = { site, zone };
type Kind = keyof typeof KINDS;

/** The way back from an edit of what publishers edit. */
export function undoOfChange(row: HistoryEntry): ReactNode {
  const { type, id } = row.subject;
  if (id === null || !Object.hasOwn(KINDS, type) || !isEdit(row)) return null;
  return <UndoChange id={id} kind={type as Kind} changes={row.changes} />;
}

function UndoChange({
  id,
  kind,
  changes,
}: {
  id: number;
  kind: Kind;
  changes: HistoryEntry['changes'];
}) {
  const { mutateAsync } = useWrite(KINDS[kind].save);
  return (
    <Undo
      changes={changes}
      query={KINDS[kind].one(id)}
      route={KINDS[kind].save.route}
      send={async (ask) => await mutateAsync({ path: { id }, ...ask })}
    />
  );
}
