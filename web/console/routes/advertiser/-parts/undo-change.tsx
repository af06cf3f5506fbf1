import type { ReactNode } from 'react';
import type { HistoryEntry } from '../../../../client/routes.ts';
import { useWrite } from '../../../api.ts';
import { isEdit, Undo } from '../../../parts/undo.tsx';
import * as adgroup from '../../../queries/advertiser/ad-group.ts';
import * as ad from '../../../queries/advertiser/ad.ts';
import * as campaign from '../../../queries/advertiser/campaign.ts';
import * as tracker from '../../../queries/advertiser/tracker.ts';

const KINDS = { campaign, adgroup, ad, tracker };
type Kind = keyof typeof KINDS;

/** The way back from an edit of what advertisers edit. */
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
