import { createFileRoute } from '@tanstack/react-router';
import { WebhooksPage } from '../../../../parts/webhooks-page.tsx';
import { titles } from '../../../../texts/titles.ts';

export const Route = createFileRoute('/advertiser/_in/webhooks/')({
  staticData: { title: (language) => titles[language].webhooks },
  component: Webhooks,
});

function Webhooks() {
  return <WebhooksPage realm="advertiser" />;
}
