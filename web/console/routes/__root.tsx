import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet, useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Announcer } from '../parts/announcer.tsx';
import { useFocusOnPage } from '../parts/focus.ts';
import { LogInAgain } from '../parts/log-in-again.tsx';
import { painted } from '../parts/painted.ts';
import { Slow } from '../parts/slow.tsx';
import { usePreferences } from '../parts/preferences.tsx';
import { textsIn } from '../parts/texts.ts';
import { common } from '../texts/common.ts';

/**
 * A page says its name as `staticData: { title: (language) => … }`; with `views` its filters can be
 * kept under names, as those of this page.
 */
declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    title?: (language: 'en' | 'zh') => string;
    views?: string;
  }
}

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  // What was pressed is seen to be pressed before the next page is made, which takes longer.
  beforeLoad: async ({ preload, cause }) => {
    if (!preload && cause === 'stay') await painted();
  },
  component: Root,
});

function Root() {
  const { language } = usePreferences();
  const named = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  useFocusOnPage(useMatches({ select: (matches) => matches.at(-1)?.pathname }));
  const { product } = textsIn(common, language);
  const title = named === undefined ? product : `${named(language)} · ${product}`;
  // The document's title belongs to the browser, not to React.
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <Announcer title={title} />
      <Outlet />
      <LogInAgain />
      <Slow />
    </>
  );
}
