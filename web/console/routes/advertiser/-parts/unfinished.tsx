import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { missingOf } from '../../../may/inventory.ts';
import { ActionButton } from '../../../parts/action.tsx';
import { ButtonLink } from '../../../parts/button-link.tsx';
import { linkTo } from '../../../parts/link-to.ts';
import { useTexts } from '../../../parts/texts.ts';
import { create as createAd } from '../../../queries/advertiser/ad.ts';
import { submit } from '../../../queries/advertiser/campaign.ts';
import { save as saveCreative } from '../../../queries/advertiser/creative.ts';
import { PAGES } from '../../../queries/advertiser/inventory-pages.ts';
import { advertiser } from '../../../texts/advertiser.ts';
import { anyCampaigns, draftCampaigns, draftCreatives } from './needed.ts';
import { useSubmit } from './use-submit.ts';

interface Named {
  id: number;
  name: string;
}

/** What its owner began and nobody looks at: drafts, and what lacks its content, each with what finishes it. */
export function useUnfinished(): { key: string; text: string; fix: ReactNode }[] {
  const t = useTexts(advertiser);
  const { data: drafts } = useQuery(draftCampaigns);
  const { data: creatives } = useQuery(draftCreatives);
  const { data: campaigns } = useQuery(anyCampaigns);
  const begun = drafts?.items.filter(isKept) ?? [];
  const more = (drafts?.total ?? 0) - (drafts?.items.length ?? 0);
  const empty = campaigns?.items.filter(
    (row) => isKept(row) && row.audit_status !== 'DRAFT' && row.delivery_reasons.includes('NO_ADS'),
  );
  const bare = creatives?.items.filter((row) => isKept(row) && missingOf(row).length > 0);
  const addresses = {
    drafts: `${PAGES.campaign}?audit_status=DRAFT`,
    ad: (id: number) => `${PAGES.ad}/new?campaign_id=${id}`,
    content: (id: number) => `${PAGES.creative}/${id}?edit=1`,
  };
  return [
    ...begun.map((row) => ({
      key: `draft ${row.id}`,
      text: t.isDraft(row.name),
      fix: <SubmitDraft row={row} />,
    })),
    ...(more > 0
      ? [{ key: 'drafts', text: t.moreDrafts(more), fix: link(addresses.drafts, t.showAll) }]
      : []),
    ...(empty ?? []).map(({ id, name }) => ({
      key: `ads of ${id}`,
      text: t.hasNoAds(name),
      fix: link(addresses.ad(id), t.addAd, createAd.route),
    })),
    ...(bare ?? []).map(({ id, name }) => ({
      key: `content of ${id}`,
      text: t.hasNoContent(name),
      fix: link(addresses.content(id), t.addContent, saveCreative.route),
    })),
  ];
}

const isKept = ({ status }: { status: string }): boolean => status !== 'ARCHIVED';

function SubmitDraft({ row }: { row: Named }) {
  const t = useTexts(advertiser);
  const send = useSubmit('campaign');
  return (
    <ActionButton
      size="compact-sm"
      variant="default"
      action={{
        label: t.submit,
        of: row.name,
        route: submit.route,
        run: async () => await send(row),
      }}
    />
  );
}

const link = (to: string, text: string, changes?: string) => (
  <ButtonLink
    {...linkTo(to)}
    {...(changes === undefined ? {} : { changes })}
    size="compact-sm"
    variant="default"
  >
    {text}
  </ButtonLink>
);
