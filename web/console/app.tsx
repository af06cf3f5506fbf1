import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { queryClient } from './api.ts';
import { PreferencesProvider } from './parts/preferences.tsx';
import { router } from './router.tsx';
import { theme } from './theme.ts';

/** Given by the server with the page: styles that Mantine writes need it. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// So do those that hold the page still behind a dialog, which are asked for under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce });

/** Nothing is said before something was done: what shows it comes after the first page. */
const Notifications = lazy(async () => {
  const { Notifications: said } = await import('@mantine/notifications');
  return { default: said };
});

export const App = () => (
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
    <Suspense>
      <Notifications position="top-center" />
    </Suspense>
    <PreferencesProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </PreferencesProvider>
  </MantineProvider>
);
