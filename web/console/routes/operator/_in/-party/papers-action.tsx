import { useState } from 'react';
import type { Action } from '../../../../parts/action.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import type { Advertiser } from '../../../../queries/operator/party.ts';
import { party } from '../../../../texts/party.ts';
import { ReasonBody } from './reason-body.tsx';

type Held = Pick<Advertiser, 'legal_hold_at' | 'legal_hold_by' | 'legal_hold_reason'>;
type Move = (ask: { path: { id: number }; body: { reason: string } }) => Promise<unknown>;
export interface PapersMoves {
  hold: Move;
  release: Move;
}

/** Keeps identity papers from being erased, or lets them go in their time; each asks for the reason first. */
export function usePapersAction(
  account: { id: number; name: string } & Held,
  role: string | undefined,
  { hold, release }: PapersMoves,
): Action {
  const t = useTexts(party);
  const [reason, setReason] = useState('');
  const { id, name } = account;
  const isHeld = account.legal_hold_at !== null;
  return {
    label: isHeld ? t.releasePapers : t.holdPapers,
    refusal: role === 'ADMIN' ? null : t.adminOnly,
    confirm: {
      title: isHeld ? t.releasePapersTitle(name) : t.holdPapersTitle(name),
      isReady: reason.trim() !== '',
      body: (
        <ReasonBody
          help={isHeld ? t.releasePapersHelp : t.holdPapersHelp}
          reason={reason}
          required
          onChange={setReason}
        />
      ),
    },
    run: async () => {
      await (isHeld ? release : hold)({ path: { id }, body: { reason: reason.trim() } });
      setReason('');
    },
    done: isHeld ? t.papersReleased : t.papersHeldNow,
  };
}

/** Since when they are held, by whom and why. */
export function PapersHeld({
  at,
  by,
  reason,
}: {
  at: string | null;
  by: string | null;
  reason: string | null;
}) {
  const t = useTexts(party);
  if (at === null) return t.papersNotHeld;
  return (
    <>
      <When at={at} />
      {by !== null && ` · ${by}`}
      {reason !== null && ` · ${reason}`}
    </>
  );
}
