import { useBlocker } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { waiting } from '../texts/waiting.ts';
import { slowness } from '../waiting.ts';
import { RowButton } from './row-button.tsx';
import classes from './slow.module.css';
import { useTexts } from './texts.ts';

/** At the foot of whatever page is open while the platform does not answer, and in front of its dialogs. */
export function Slow() {
  const t = useTexts(waiting);
  const kind = useSyncExternalStore(slowness.watch, slowness.now);
  useBlocker({
    shouldBlockFn: () => !globalThis.confirm(t.leave),
    enableBeforeUnload: false,
    disabled: kind !== 'write',
  });
  // There before it says something: what comes together with its words is not read out.
  return (
    <div role="status" className={classes['place']}>
      {kind !== null && (
        <div className={classes['note']}>
          <span>{t[kind]}</span>
          {kind === 'read' && <RowButton onClick={slowness.askAgain}>{t.again}</RowButton>}
        </div>
      )}
    </div>
  );
}
