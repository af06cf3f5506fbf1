import { Button, Group, Select, Stack, Text, TextInput, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Failed } from '../../../parts/failed.tsx';
import { Page } from '../../../parts/page.tsx';
import { stated, textOf } from '../../../parts/search.ts';
import { useTexts } from '../../../parts/texts.ts';
import { trace } from '../../../queries/operator/platform.ts';
import { operator } from '../../../texts/operator.ts';
import { titles } from '../../../texts/titles.ts';
import { platform } from '../../../texts/platform.ts';
import { removalReasons } from '../../../texts/removal-reasons.ts';
import { Fate } from './-platform/fate.tsx';
import { useKindWords } from './-shown/kind-words.ts';
import { TracedNames } from './-platform/traced-names.tsx';

const BY = ['request_id', 'click_id', 'track_id'] as const;
type By = (typeof BY)[number];

export const Route = createFileRoute('/operator/_in/events')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      request_id: textOf(raw['request_id']),
      click_id: textOf(raw['click_id']),
      // Longer than other texts of an address.
      track_id: typeof raw['track_id'] === 'string' ? raw['track_id'] : undefined,
    }),
  staticData: { title: (language) => titles[language].operatorEvents },
  component: EventTracePage,
});

function EventTracePage() {
  const t = useTexts(platform);
  const reasons = useTexts(removalReasons);
  const kinds = useKindWords();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const isAsked = Object.keys(search).length > 0;
  const { data, error, refetch } = useQuery({ ...trace(search), enabled: isAsked });
  const isEmpty =
    data !== undefined &&
    data.track === null &&
    data.events.length + data.clicks.length + data.conversions.length === 0;
  return (
    <Page title={useTexts(operator).events} lead={t.traceLead}>
      <TraceForm
        key={JSON.stringify(search)}
        search={search}
        onTrace={(by, id) => void navigate({ search: { [by]: id } })}
      />
      {error !== null && <Failed error={error} again={() => void refetch()} />}
      {!isAsked && <Text c="dimmed">{t.traceEmpty}</Text>}
      {isEmpty && <Text fw={600}>{t.traceNone}</Text>}
      {data !== undefined && !isEmpty && (
        <Stack gap="md">
          <TracedNames trace={data} />
          <Timeline active={Number.MAX_SAFE_INTEGER} bulletSize={14} lineWidth={2}>
            {Fate({ trace: data, t, reasons, kinds })}
          </Timeline>
        </Stack>
      )}
    </Page>
  );
}

function TraceForm({
  search,
  onTrace,
}: {
  search: { [Key in By]?: string };
  onTrace: (by: By, id: string) => void;
}) {
  const t = useTexts(platform);
  const given = BY.find((each) => search[each] !== undefined) ?? 'request_id';
  const [by, setBy] = useState<By>(given);
  const [id, setId] = useState(search[given] ?? '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (id.trim() !== '') onTrace(by, id.trim());
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <Select
          label={t.traceBy}
          data={BY.map((value) => ({ value, label: t[value] }))}
          value={by}
          onChange={(value) => setBy((value ?? 'request_id') as By)}
          allowDeselect={false}
          w={220}
        />
        <TextInput
          label={t[by]}
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
          flex="1 1 16rem"
        />
        <Button type="submit">{t.trace}</Button>
      </Group>
    </form>
  );
}
