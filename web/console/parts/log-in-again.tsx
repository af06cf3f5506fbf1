import { lazy, Suspense, useSyncExternalStore } from 'react';
import { asksAgain } from '../session.ts';

const Asked = lazy(async () => {
  const { LogInAgainDialog } = await import('./log-in-again-dialog.tsx');
  return { default: LogInAgainDialog };
});

/** In front of whatever page stands open when its session ends. */
export function LogInAgain() {
  const realm = useSyncExternalStore(asksAgain.watch, asksAgain.realm);
  const why = useSyncExternalStore(asksAgain.watch, asksAgain.why);
  if (realm === null || why === null) return null;
  return (
    <Suspense>
      <Asked realm={realm} why={why} />
    </Suspense>
  );
}
