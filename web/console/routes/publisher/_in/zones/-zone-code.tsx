import { Box, Stack, Tabs, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { AD_WORDS, ENGLISH } from '../../../../../../domain/creative/ad-words.ts';
import type { Zone, ZoneCode } from '../../../../../client/routes.ts';
import { Choice } from '../../../../parts/choice.tsx';
import { CopyCode } from '../../../../parts/copy-code.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { PageTabs } from '../../../../parts/page-tabs.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
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
  const [language, speak] = useState<string | null>(null);
  const asked = code(row.id, language ?? undefined);
  return (
    <Section title={t.title} lead={t.lead}>
      {/* What is shown stays until it is there in the other language. */}
      <Loaded query={{ ...asked, placeholderData: keepPreviousData }}>
        {(made) => (
          <Offered told={toldOf(made, row.type, t)} tab={tab}>
            <PageLanguage value={language} onChange={speak} />
          </Offered>
        )}
      </Loaded>
    </Section>
  );
}

/** A script asks its page; what knows no page is told the language of its few words. */
const SPEAKS: ReadonlySet<Way> = new Set(['iframe', 'vast']);

function PageLanguage(props: {
  value: string | null;
  onChange: (language: string | null) => void;
}) {
  const t = useTexts(zoneCode);
  const { language } = usePreferences();
  const names = new Intl.DisplayNames(language, { type: 'language' });
  const nameOf = (lang: string): string => names.of(lang) ?? lang;
  const options = AD_WORDS.filter((words) => words !== ENGLISH)
    .map(({ lang }) => ({ value: lang, label: nameOf(lang) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, language));
  return (
    <Choice {...props} label={t.pageLanguage} unset={nameOf(ENGLISH.lang)} options={options} />
  );
}

function Offered({
  told,
  tab,
  children,
}: {
  told: readonly Told[];
  tab: Way;
  /** Above what has words of its own. */
  children: ReactNode;
}) {
  const t = useTexts(zoneCode);
  const ways = told.map(({ way }) => way);
  return (
    <Box maw="52rem">
      <PageTabs tabs={ways} names={t} current={ways.includes(tab) ? tab : 'script'}>
        {told.map(({ way, lead, more, text }) => (
          <Tabs.Panel key={way} value={way}>
            <Stack gap="xs">
              <Text size="sm">{lead}</Text>
              {SPEAKS.has(way) && children}
              <CopyCode label={t[way]} code={text} />
              {more !== undefined && <Text size="sm">{more}</Text>}
            </Stack>
          </Tabs.Panel>
        ))}
      </PageTabs>
    </Box>
  );
}
