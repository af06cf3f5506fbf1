import { createFileRoute } from '@tanstack/react-router';
import { NotFoundPage } from '../../../parts/failed-page.tsx';
import { titles } from '../../../texts/titles.ts';

/** Every address that is none. */
export const Route = createFileRoute('/advertiser/_in/$')({
  staticData: { title: (language) => titles[language].notFound },
  component: NotFoundPage,
});
