import { Group, List } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { Ad } from '../../../../client/routes.ts';
import { useWrite } from '../../../api.ts';
import { type Action, ActionButton } from '../../../parts/action.tsx';
import { ButtonLink } from '../../../parts/button-link.tsx';
import { linkTo } from '../../../parts/link-to.ts';
import { useTexts, wordOf } from '../../../parts/texts.ts';
import { list as adsOf } from '../../../queries/advertiser/ad.ts';
import { one as campaignOf } from '../../../queries/advertiser/campaign.ts';
import { one as creativeOf } from '../../../queries/advertiser/creative.ts';
import { INVENTORY, type Level } from '../../../queries/advertiser/inventory.ts';
import { delivery } from '../../../texts/advertiser/delivery.ts';
import { fixOf, type Ids, isOfEither } from './delivery-fix.ts';
import { Standing } from './standing.tsx';
import { useSubmit } from './use-submit.ts';

/** Why something does not serve, each reason with what mends it. */
export function DeliveryReasons({ reasons, ids }: { reasons: readonly string[]; ids: Ids }) {
  return (
    <List listStyleType="none" spacing="xs" size="sm">
      {reasons.map((reason) =>
        reason === 'NO_APPROVED_CREATIVE' ? (
          <NoneApproved key={reason} ids={ids} />
        ) : (
          <Reason key={reason} reason={reason} ids={ids} />
        ),
      )}
    </List>
  );
}

function Reason({ reason, ids, name }: { reason: string; ids: Ids; name?: string }) {
  const t = useTexts(delivery);
  const waiting = waitingOf(reason, ids);
  const words = wordOf(t.reasons, reason);
  return (
    <List.Item data-reason={reason}>
      <Group gap="xs">
        <span>
          {name === undefined ? words : t.named(name, words)}
          {waiting !== null && <Standing {...waiting} />}
        </span>
        <Remedy reason={reason} ids={ids} />
      </Group>
    </List.Item>
  );
}

/** What a person is still to look at. */
function waitingOf(reason: string, ids: Ids): { level: Level; id: number } | null {
  if (reason === 'REVISION_PENDING') {
    if (ids.ad !== undefined) return { level: 'ad', id: ids.ad };
    return ids.creative === undefined ? null : { level: 'creative', id: ids.creative };
  }
  const [, prefix = ''] = /^(CAMPAIGN|ADGROUP|AD|CREATIVE)_PENDING$/.exec(reason) ?? [];
  const level = prefix.toLowerCase() as Level;
  const id = ids[level];
  return id === undefined ? null : { level, id };
}

/** As many as somebody reads at once; its ads show the others. */
const SHOWN_MAX = 3;

/** That no ad can be shown yet is for its ads and creatives, which say how they stand and what mends them. */
function NoneApproved({ ids }: { ids: Ids }) {
  const t = useTexts(delivery);
  const { ad, adgroup, campaign, creative } = ids;
  const above = adgroup === undefined ? { campaign_id: campaign ?? 0 } : { adgroup_id: adgroup };
  const { data } = useQuery({ ...adsOf(above), enabled: creative === undefined });
  const ads = data?.items.filter(({ status }) => status !== 'ARCHIVED') ?? [];
  const creatives = [...new Set(creative === undefined ? ads.map(creativeIn) : [creative])];
  if (creatives.length === 0) return <Reason reason="NO_APPROVED_CREATIVE" ids={ids} />;
  // An ad on its own page says how it stands itself.
  const held = ads.filter(({ id, audit_status: audit }) => audit !== 'APPROVED' && id !== ad);
  return (
    <List.Item data-reason="NO_APPROVED_CREATIVE">
      <span>{wordOf(t.reasons, 'NO_APPROVED_CREATIVE')}</span>
      <List listStyleType="none" withPadding spacing="xs" size="sm" mt="xs">
        {creatives.slice(0, SHOWN_MAX).map((id) => (
          <OfCreative key={id} id={id} />
        ))}
        {held.slice(0, SHOWN_MAX).map(({ id, name, audit_status: audit }) => (
          <Reason key={`ad ${id}`} reason={`AD_${audit}`} ids={{ ad: id }} name={name} />
        ))}
      </List>
    </List.Item>
  );
}

const creativeIn = ({ creative_id: id }: Ad): number => id;

function OfCreative({ id }: { id: number }) {
  const { data: row } = useQuery(creativeOf(id));
  if (row === undefined || row.approved_revision !== null) return null;
  return <Reason reason={`CREATIVE_${row.audit_status}`} ids={{ creative: id }} name={row.name} />;
}

function Remedy({ reason, ids }: { reason: string; ids: Ids }) {
  const t = useTexts(delivery);
  const here = useLocation({ select: ({ pathname }) => pathname });
  const isEither = isOfEither(reason, ids);
  const { data: campaign } = useQuery({ ...campaignOf(ids.campaign ?? 0), enabled: isEither });
  // Before the campaign was read nobody knows where it leads.
  if (isEither && campaign === undefined) return null;
  const fix = fixOf(reason, ids, campaign?.delivery_reasons.includes(reason));
  if (fix === null) return null;
  if (fix.kind === 'link') {
    // Where somebody is already.
    if (fix.to === here) return null;
    return (
      <ButtonLink {...linkTo(fix.to)} size="compact-xs" variant="default">
        {t[fix.text]}
      </ButtonLink>
    );
  }
  const { kind, level, id } = fix;
  return kind === 'toggle' ? <Toggle level={level} id={id} /> : <Submit level={level} id={id} />;
}

interface MoveProps {
  level: Level;
  id: number;
}

function Toggle({ level, id }: MoveProps) {
  const t = useTexts(delivery);
  const { mutateAsync } = useWrite(INVENTORY[level].toggle);
  return (
    <Move
      action={{
        label: t.resume,
        route: INVENTORY[level].toggle.route,
        run: async () => await mutateAsync({ path: { id } }),
        done: t.resumed,
      }}
    />
  );
}

function Submit({ level, id }: MoveProps) {
  const t = useTexts(delivery);
  const submit = useSubmit(level);
  const run = async (): Promise<void> => await submit({ id, name: `#${id}` });
  return <Move action={{ label: t.submit, route: INVENTORY[level].submit.route, run }} />;
}

const Move = ({ action }: { action: Action }) => (
  <ActionButton size="compact-xs" variant="default" action={action} />
);
