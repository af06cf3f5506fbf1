import { createFileRoute } from '@tanstack/react-router';
import { IdentityPage } from '../../../parts/identity-page.tsx';
import { identityOf } from '../../../parts/identity.ts';
import { stated, textOf } from '../../../parts/search.ts';
import { titles } from '../../../texts/titles.ts';

export const Route = createFileRoute('/advertiser/_in/kyc')({
  validateSearch: (raw: Record<string, unknown>) => {
    const next = textOf(raw['next']);
    // Only a page of this console is somewhere to come back to.
    return stated({ next: next?.startsWith('/advertiser/') === true ? next : undefined });
  },
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(identityOf('advertiser').state);
  },
  staticData: { title: (language) => titles[language].kyc },
  component: Identity,
});

function Identity() {
  const { next } = Route.useSearch();
  return <IdentityPage realm="advertiser" next={next} />;
}
