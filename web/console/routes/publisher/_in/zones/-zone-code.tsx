import { Stack, Tabs, Text } from '@mantine/core';
import type { Zone, ZoneCode } from '../../../../../client/routes.ts';
import { CopyCode } from '../../../../parts/copy-code.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Section } from '../../../../parts/section.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { code } from '../../../../queries/publisher/zone.ts';
import { zoneCode } from '../../../../texts/zone-code.ts';

type Words = Same<(typeof zoneCode)['en']>;

/** What does not fit the zone's type is not offered. */
const waysOf = (made: ZoneCode, t: Words) =>
  [
    { key: 'script', name: t.script, lead: t.scriptLead, text: made.script },
    { key: 'iframe', name: t.iframe, lead: t.iframeLead, text: made.iframe },
    { key: 'vast', name: t.vast, lead: t.vastLead, text: made.vast_url },
    { key: 'request', name: t.request, lead: t.requestLead, text: made.request_url },
    { key: 'policy', name: t.policy, lead: t.policyLead, text: made.csp },
  ].flatMap(({ text, ...way }) => (text === null ? [] : [{ ...way, text }]));

/** What to put into a page, a player or a program. */
export function Code({ row }: { row: Zone }) {
  const t = useTexts(zoneCode);
  return (
    <Section title={t.title} lead={t.lead}>
      <Loaded query={code(row.id)}>
        {(made) => (
          <Tabs defaultValue="script" keepMounted={false} maw="52rem">
            <Tabs.List>
              {waysOf(made, t).map(({ key, name }) => (
                <Tabs.Tab key={key} value={key}>
                  {name}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {waysOf(made, t).map(({ key, name, lead, text }) => (
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
