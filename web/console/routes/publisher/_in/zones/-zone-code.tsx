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

type Words = Same<(typeof zoneCode)['en']>;

interface Told {
  way: Way;
  lead: string;
  text: string;
}

/** What does not fit the zone's type is not offered. */
const toldOf = (made: ZoneCode, t: Words): Told[] =>
  [
    { way: 'script' as const, lead: t.scriptLead, text: made.script },
    { way: 'iframe' as const, lead: t.iframeLead, text: made.iframe },
    { way: 'vast' as const, lead: t.vastLead, text: made.vast_url },
    { way: 'request' as const, lead: t.requestLead, text: made.request_url },
    { way: 'policy' as const, lead: t.policyLead, text: made.csp },
  ].flatMap(({ text, ...told }) => (text === null ? [] : [{ ...told, text }]));

/** What to put into a page, a player or a program. */
export function Code({ row, tab = 'script' }: { row: Zone; tab: Way | undefined }) {
  const t = useTexts(zoneCode);
  return (
    <Section title={t.title} lead={t.lead}>
      <Loaded query={code(row.id)}>{(made) => <Offered told={toldOf(made, t)} tab={tab} />}</Loaded>
    </Section>
  );
}

function Offered({ told, tab }: { told: readonly Told[]; tab: Way }) {
  const t = useTexts(zoneCode);
  const ways = told.map(({ way }) => way);
  return (
    <Box maw="52rem">
      <PageTabs tabs={ways} names={t} current={ways.includes(tab) ? tab : 'script'}>
        {told.map(({ way, lead, text }) => (
          <Tabs.Panel key={way} value={way}>
            <Stack gap="xs">
              <Text size="sm">{lead}</Text>
              <CopyCode label={t[way]} code={text} />
            </Stack>
          </Tabs.Panel>
        ))}
      </PageTabs>
    </Box>
  );
}
