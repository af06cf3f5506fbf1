import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { ActionButton } from '../../../../parts/action.tsx';
import { Failed } from '../../../../parts/failed.tsx';
import { FileDrop } from '../../../../parts/file-drop.tsx';
import { Page } from '../../../../parts/page.tsx';
import { useSaid } from '../../../../parts/said.ts';
import { Section } from '../../../../parts/section.tsx';
import { useMarks, useTexts, wordOf } from '../../../../parts/texts.ts';
import { type Decided, STALE, uploadDecisions } from '../../../../queries/advertiser/conversion.ts';
import { conversionTexts } from '../../../../texts/advertiser/conversion.ts';
import { titles } from '../../../../texts/titles.ts';

export const Route = createFileRoute('/advertiser/_in/conversions/file')({
  staticData: { title: (language) => titles[language].conversionFile },
  component: DecideByFile,
});

interface Tried {
  file: File;
  outcome: Decided;
}

/** First what each line would do, then doing it. */
function DecideByFile() {
  const t = useTexts(conversionTexts);
  const queries = useQueryClient();
  const [tried, setTried] = useState<Tried>();
  const [error, setError] = useState<Error | null>(null);
  const send = async (file: File, isDry: boolean): Promise<void> => {
    setError(null);
    const outcome = await uploadDecisions(file, isDry);
    setTried({ file, outcome });
    if (isDry) return;
    for (const route of STALE) await queries.invalidateQueries({ queryKey: [route] });
  };
  return (
    <Page
      title={t.byFile}
      lead={t.fileLead}
      crumbs={[{ text: t.title, to: '/advertiser/conversions' }]}
    >
      {error !== null && <Failed error={error} />}
      {tried === undefined ? (
        <FileDrop
          label={t.file}
          lead={t.drop}
          button={t.choose}
          hint={t.fileHelp}
          accept=".csv,text/csv"
          onFiles={([file]) => {
            if (file === undefined) return;
            send(file, true).catch((raised: unknown) => setError(raised as Error));
          }}
        />
      ) : (
        <Stack>
          <Group gap="xs">
            <Text>{tried.file.name}</Text>
            <Button size="compact-sm" variant="default" onClick={() => setTried(undefined)}>
              {t.another}
            </Button>
          </Group>
          <Told outcome={tried.outcome} />
          {tried.outcome.dry_run && tried.outcome.done > 0 && (
            <Group>
              <ActionButton
                action={{
                  label: t.carryOut,
                  run: async () => await send(tried.file, false),
                  done: t.decided,
                }}
              />
            </Group>
          )}
        </Stack>
      )}
    </Page>
  );
}

function Told({ outcome }: { outcome: Decided }) {
  const t = useTexts(conversionTexts);
  const said = useSaid();
  const marks = useMarks();
  const refused = outcome.items.filter(({ error }) => error !== null);
  return (
    <Section title={t.preview}>
      <Stack gap="xs" aria-live="polite">
        <Text size="sm">{outcome.dry_run ? t.willDo(outcome.done) : t.did(outcome.done)}</Text>
        {refused.length > 0 && (
          <Alert
            color="yellow"
            title={outcome.dry_run ? t.willFail(refused.length) : t.didNot(refused.length)}
          >
            <List size="sm">
              {refused.map(({ line, error, errors }) => (
                <List.Item key={line}>
                  {t.line(
                    line,
                    [
                      wordOf(t.faults, error ?? ''),
                      ...errors.map(({ field, message }) => `${field} ${said(message)}`),
                    ].join(marks.colon),
                  )}
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
      </Stack>
    </Section>
  );
}
