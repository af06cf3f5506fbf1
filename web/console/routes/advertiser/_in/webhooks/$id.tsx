import { createFileRoute } from '@tanstack/react-router';
import { idParams, numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { WebhookPage } from '../../../../parts/webhook-page.tsx';
import { DELIVERY_STATUSES, webhooksOf } from '../../../../parts/webhooks.ts';
import { titles } from '../../../../texts/titles.ts';

export const Route = createFileRoute('/advertiser/_in/webhooks/$id')({
  params: idParams,
  validateSearch: (raw: Record<string, unknown>) =>
    stated({ page: numberOf(raw['page']), status: oneOf(DELIVERY_STATUSES, raw['status']) }),
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(webhooksOf('advertiser').one(id));
  },
  staticData: { title: (language) => titles[language].webhook },
  component: Webhook,
});

function Webhook() {
  const { id } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <WebhookPage
      realm="advertiser"
      id={id}
      search={search}
      onChange={(next) => void navigate({ search: next })}
    />
  );
}
