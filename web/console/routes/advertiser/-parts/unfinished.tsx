import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Campaign } from '../../../../client/routes.ts';
import { missingOf } from '../../../may/inventory.ts';
import { ActionButton } from '../../../parts/action.tsx';
import { fixLink } from '../../../parts/fix-link.tsx';
import { Reasons } from '../../../parts/reasons.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { create as createAd } from '../../../queries/advertiser/ad.ts';
import { submit } from '../../../queries/advertiser/campaign.ts';
import { save as saveCreative } from '../../../queries/advertiser/creative.ts';
import { PAGES } from '../../../queries/advertiser/inventory-pages.ts';
import { unfinishedTexts } from '../../../texts/advertiser/unfinished.ts';
import { anyCampaigns, draftCampaigns, draftCreatives } from './needed.ts';
import { useSubmit } from './use-submit.ts';

interface Named {
  id: number;
  name: string;
}

/**
 * What its owner began and nobody looks at: drafts, and what lacks its content, each with what finishes it.
 * `otherwise`: said where there is nothing of it.
 */
export function Unfinished({ otherwise }: { otherwise: string | null }) {
  const t = useTexts(unfinishedTexts);
  const { data: drafts } = useQuery(draftCampaigns);
  const { data: creatives } = useQuery(draftCreatives);
  const { data: campaigns } = useQuery(anyCampaigns);
  const begun = drafts?.items.filter(isKept) ?? [];
  const more = (drafts?.total ?? 0) - (drafts?.items.length ?? 0);
  const empty = campaigns?.items.filter(isEmpty) ?? [];
  const bare = creatives?.items.filter((row) => isKept(row) && missingOf(row).length > 0) ?? [];
  const reasons = [
    ...begun.map((row) => ({
      key: `draft ${row.id}`,
      text: t.isDraft(row.name),
      fix: <SubmitDraft row={row} />,
    })),
    more > 0 && {
      key: 'drafts',
      text: t.moreDrafts(more),
      fix: fixLink(`${PAGES.campaign}?audit_status=DRAFT`, t.showAll),
    },
    ...empty.map(({ id, name }) => ({
      key: `ads of ${id}`,
      text: t.hasNoAds(name),
      fix: fixLink(`${PAGES.ad}/new?campaign_id=${id}`, t.addAd, createAd.route),
    })),
    ...bare.map(({ id, name }) => ({
      key: `content of ${id}`,
      text: t.hasNoContent(name),
      fix: fixLink(`${PAGES.creative}/${id}?edit=1`, t.addContent, saveCreative.route),
    })),
  ].filter((reason) => reason !== false);
  if (drafts === undefined || creatives === undefined || campaigns === undefined) return null;
  return reasons.length === 0 ? (
    <Text c="dimmed">{otherwise}</Text>
  ) : (
    <Reasons title={t.title} tone="blue" reasons={reasons} />
  );
}

const isKept = ({ status }: { status: string }): boolean => status !== 'ARCHIVED';

/** A draft says so itself. */
const isEmpty = (row: Campaign): boolean =>
  isKept(row) && row.audit_status !== 'DRAFT' && row.delivery_reasons.includes('NO_ADS');

function SubmitDraft({ row }: { row: Named }) {
  const t = useTexts(unfinishedTexts);
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
