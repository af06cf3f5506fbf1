import { Box, Stack, Tabs, Text } from '@mantine/core';
import type { Zone, ZoneCode } from '../../../../../client/routes.ts';
import { CopyCode } from '../../../../parts/copy-code.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { PageTabs } from '../../../../parts/page-tabs.tsx';
import { Section } from '../../../../parts/section.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { code } from '../../../../queries/publisher/zone.ts';
import { zoneCode } from '../../../../texts/zone-code.ts';
import type { Way } from './-ways.ts';
import { isOverPage } from './-zone-values.ts';

type Words = Same<(typeof zoneCode)['en']>;

interface Told {
  way: Way;
  lead: string;
  more?: string;
  text: string;
}

/** What a layer's or a reward's code is put where, unlike that of an ad with a place of its own. */
const scriptLeadOf = (type: Zone['type'], t: Words): string => {
  if (type === 'REWARDED') return t.rewardLead;
  return isOverPage(type) ? t.layerLead : t.scriptLead;
};

/** What does not fit the zone's type is not offered. */
const toldOf = (made: ZoneCode, type: Zone['type'], t: Words): Told[] =>
  [
    { way: 'script' as const, lead: scriptLeadOf(type, t), more: t.readLead, text: made.script },
    { way: 'iframe' as const, lead: t.iframeLead, text: made.iframe },
    { way: 'vast' as const, lead: t.vastLead, text: made.vast_url },
    { way: 'prebid' as const, lead: t.prebidLead, text: made.prebid },
    { way: 'request' as const, lead: t.requestLead, text: made.request_url },
    { way: 'policy' as const, lead: t.policyLead, text: made.csp },
  ].flatMap(({ text, ...told }) => (text === null ? [] : [{ ...told, text }]));

/** What to put into a page, a player or a program. */
export function Code({ row, tab = 'script' }: { row: Zone; tab: Way | undefined }) {
  const t = useTexts(zoneCode);
  return (
    <Section title={t.title} lead={t.lead}>
      <Loaded query={code(row.id)}>
        {(made) => <Offered told={toldOf(made, row.type, t)} tab={tab} />}
      </Loaded>
    </Section>
  );
}

function Offered({ told, tab }: { told: readonly Told[]; tab: Way }) {
  const t = useTexts(zoneCode);
  const ways = told.map(({ way }) => way);
  return (
    <Box maw="52rem">
      <PageTabs tabs={ways} names={t} current={ways.includes(tab) ? tab : 'script'}>
        {told.map(({ way, lead, more, text }) => (
          <Tabs.Panel key={way} value={way}>
            <Stack gap="xs">
              <Text size="sm">{lead}</Text>
              <CopyCode label={t[way]} code={text} />
              {more !== undefined && <Text size="sm">{more}</Text>}
            </Stack>
          </Tabs.Panel>
        ))}
      </PageTabs>
    </Box>
  );
}
