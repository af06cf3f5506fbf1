import { useNavigate } from '@tanstack/react-router';
import { stated } from './search.ts';

/** Changes what the address of this page holds; whatever is no page itself begins at the first one. */
export function useSearchChange(): (
  change: Readonly<Record<string, string | number | undefined>>,
) => void {
  const navigate = useNavigate();
  return (change) =>
    void navigate({
      to: '.',
      search: (was: object) => stated({ ...was, page: undefined, ...change }) as never,
    });
}
