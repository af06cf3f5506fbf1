import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router';
import { queryClient } from './api.ts';
import { FailedPage, NotFoundPage } from './parts/failed-page.tsx';
import { routeTree } from './route-tree.gen.ts';
import { FOLDERS, whenExpired } from './session.ts';
import { whenFactorIsMissing } from './step-up.ts';

export const router = createRouter({
  routeTree,
  basepath: '/console',
  context: { queryClient },
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error, reset }) => (
    <FailedPage error={error as Error} again={() => void again(reset)} />
  ),
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
  // What a page's search does not know, or knows with other values, leaves the address: it would else be kept as it is.
  search: { strict: true },
  // Only what looks like a list or an object is parsed: `007` and `1E3` are names, not numbers.
  parseSearch: parseSearchWith((text) =>
    /^[[{]/.test(text) ? (JSON.parse(text) as unknown) : text,
  ),
  stringifySearch: stringifySearchWith(JSON.stringify),
});

/** What was read for the page, and its code where that did not come; the router keeps both as they failed. */
async function again(reset: () => void): Promise<void> {
  const routes = router.state.matches.map(({ routeId }) => router.routesById[routeId]);
  await Promise.all(
    routes.map(async ({ options: { component } }) => {
      if (component !== undefined && 'preload' in component) await component.preload?.();
    }),
  );
  await router.invalidate();
  reset();
}

whenFactorIsMissing((realm) => {
  void router.navigate({ href: `/${FOLDERS[realm]}/security` });
});

/** An ended session leads to the login, which says why, and from there back to where it ended. */
whenExpired((realm, ended) => {
  const next = `${location.pathname}${location.search}`;
  const asked = new URLSearchParams({ next, ...(ended === undefined ? {} : { ended }) });
  void router.navigate({ href: `/${FOLDERS[realm]}/login?${asked}` });
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
