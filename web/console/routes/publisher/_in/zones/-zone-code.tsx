import { Stack, Tabs, Text } from '@mantine/core';
import type { Zone, ZoneCode } from '../../../../../client/routes.ts';
import { CopyCode } from '../../../../parts/copy-code.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Section } from '../../../../parts/section.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { code } from '../../../../queries/publisher/zone.ts';
import { zone } from '../../../../texts/zone.ts';
import type { ZoneType } from './-zone-values.ts';

type Words = Same<(typeof zone)['en']>;

/** These take the page or stand over it, which a frame in it cannot. */
const SCRIPT_ONLY: readonly ZoneType[] = [
  'POPUP',
  'FLOAT',
  'INTERSTITIAL',
  'COUPLET',
  'EXIT_INTENT',
  'REWARDED',
];

const waysOf = (type: ZoneType, made: ZoneCode, t: Words) => [
  { key: 'script', name: t.script, lead: t.scriptLead, text: made.script },
  ...(SCRIPT_ONLY.includes(type)
    ? []
    : [{ key: 'iframe', name: t.iframe, lead: t.iframeLead, text: made.iframe }]),
  ...(type === 'VIDEO' || type === 'REWARDED'
    ? [{ key: 'vast', name: t.vast, lead: t.vastLead, text: made.vast_url }]
    : []),
  { key: 'request', name: t.request, lead: t.requestLead, text: made.request_url },
];

/** What to put into a page, a player or a program. */
export function Code({ row }: { row: Zone }) {
  const t = useTexts(zone);
  return (
    <Section title={t.code} lead={t.codeLead}>
      <Loaded query={code(row.id)}>
        {(made) => (
          <Tabs defaultValue="script" keepMounted={false} maw="52rem">
            <Tabs.List>
              {waysOf(row.type, made, t).map(({ key, name }) => (
                <Tabs.Tab key={key} value={key}>
                  {name}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {waysOf(row.type, made, t).map(({ key, name, lead, text }) => (
              <Tabs.Panel key={key} value={key} pt="sm">
                <Stack gap="xs">
                  <Text size="sm">{lead}</Text>
                  <CopyCode label={name} code={text} />
                </Stack>
              </Tabs.Panel>
            ))}
          </Tabs>
        )}
      </Loaded>
    </Section>
  );
}
