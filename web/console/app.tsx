import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { queryClient } from './api.ts';
import { PreferencesProvider } from './parts/preferences.tsx';
import { Stale } from './parts/stale.tsx';
import { saidSomething } from './parts/toast.ts';
import { router } from './router.tsx';
import { theme } from './theme.ts';

/** Given by the server with the page: styles that Mantine writes need it. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// Open dialogs keep the page behind from scrolling by a style of their own; this is where they look.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const Shown = lazy(async () => {
  const { Notifications: said } = await import('@mantine/notifications');
  return { default: said };
});

/** Nothing is said before something was done. */
function Notifications() {
  if (!useSyncExternalStore(saidSomething.watch, saidSomething.now)) return null;
  return (
    <Suspense>
      <Shown position="top-center" />
    </Suspense>
  );
}

export const App = () => (
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
    <Stale>
      <Notifications />
    </Stale>
    <Stale>
      <PreferencesProvider>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </PreferencesProvider>
    </Stale>
  </MantineProvider>
);
