import { useRouter } from '@tanstack/react-router';
import { stated } from './search.ts';

/** Changes what the address of this page holds; whatever is no page itself begins at the first one. */
export function useSearchChange(): (
  change: Readonly<Record<string, string | number | undefined>>,
) => void {
  const router = useRouter();
  return (change) => {
    const next = {
      to: '.',
      search: (was: object) => stated({ ...was, page: undefined, ...change }) as never,
    } as const;
    // What it needs is asked for at once, and not only when the press has been drawn.
    void router.preloadRoute(next);
    void router.navigate(next);
  };
}
