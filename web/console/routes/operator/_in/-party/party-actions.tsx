import { Text } from '@mantine/core';
import { useState } from 'react';
import type { Action } from '../../../../parts/action.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { party } from '../../../../texts/party.ts';
import { ReasonBody } from './reason-body.tsx';

type Move = (ask: { path: { id: number }; body: { reason?: string } }) => Promise<unknown>;

export interface Moves {
  suspend: Move;
  restore: Move;
  endSessions: (ask: { path: { id: number } }) => Promise<unknown>;
}

/** Stops an account, or lets it go on; each asks first and keeps the reason. */
export function usePartyAction(
  account: { id: number; name: string; status: string },
  role: string | undefined,
  moves: Moves,
): Action {
  const t = useTexts(party);
  const [reason, setReason] = useState('');
  const { id, name, status } = account;
  const isActive = status === 'ACTIVE';
  return {
    label: isActive ? t.suspend : t.restore,
    danger: isActive,
    refusal: role === 'ADMIN' ? null : t.adminOnly,
    confirm: {
      title: isActive ? t.suspendTitle(name) : t.restoreTitle(name),
      // Whoever is asked why, months later, finds it in the log.
      isReady: !isActive || reason.trim() !== '',
      body: (
        <ReasonBody
          help={isActive ? t.suspendHelp : t.restoreHelp}
          reason={reason}
          required={isActive}
          onChange={setReason}
        />
      ),
    },
    run: async () => {
      const body = reason.trim() === '' ? {} : { reason: reason.trim() };
      await (isActive ? moves.suspend : moves.restore)({ path: { id }, body });
      setReason('');
    },
    done: isActive ? t.suspended : t.restored,
  };
}

/** For somebody whose password or browser may be another's now: all of them log in again. */
export function useEndSessions(
  { id, name }: { id: number; name: string },
  role: string | undefined,
  endSessions: Moves['endSessions'],
): Action {
  const t = useTexts(party);
  return {
    label: t.endSessions,
    refusal: role === 'ADMIN' ? null : t.adminOnly,
    confirm: {
      title: t.endSessionsTitle(name),
      body: <Text size="sm">{t.endSessionsHelp}</Text>,
    },
    run: async () => await endSessions({ path: { id } }),
    done: t.sessionsEnded,
  };
}
