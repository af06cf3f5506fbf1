import { useRouterState } from '@tanstack/react-router';

/** Tells a screen reader which page it is on now. */
export function Announcer({ title }: { title: string }) {
  const isLoading = useRouterState({ select: (state) => state.status === 'pending' });
  return (
    <div className="visually-hidden" aria-live="assertive" aria-atomic>
      {isLoading ? '' : title}
    </div>
  );
}
