import { Alert, Card, SimpleGrid, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useWrite } from '../../../api.ts';
import { ActionButton } from '../../../parts/action.tsx';
import { ButtonLink } from '../../../parts/button-link.tsx';
import { CopyCode } from '../../../parts/copy-code.tsx';
import { Failed } from '../../../parts/failed.tsx';
import { hasEnded, type Operation, useOperation } from '../../../parts/live.ts';
import { Loaded } from '../../../parts/loaded.tsx';
import { Preview } from '../../../parts/preview.tsx';
import { Section } from '../../../parts/section.tsx';
import { useSaid } from '../../../parts/said.ts';
import { useMarks, useTexts, wordOf } from '../../../parts/texts.ts';
import { Timeline } from '../../../parts/timeline.tsx';
import { create } from '../../../queries/advertiser/creative.ts';
import { type Asset, assetOf, cancel } from '../../../queries/advertiser/media.ts';
import { common } from '../../../texts/common.ts';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';
import { newCreativeOf } from './launch-values.ts';
import { previewOfAsset } from './shown.ts';

interface Words {
  title?: string;
  description?: string;
  button_text?: string;
}

/** What the provider made, as the operation's result says it; `notice` is what it says of itself. */
interface Result {
  media_ids?: number[];
  variants?: Words[];
  notice?: string | null;
}

/** Live until it is made; then each thing that was made, with its use one click away. */
export function Generated({ id }: { id: number }) {
  const t = useTexts(creativeTexts);
  const said = useSaid();
  const { operation, error, seenAt } = useOperation('GET /api/advertiser/operations/{id}', id, [
    'GET /api/advertiser/media',
  ]);
  if (operation === undefined) return error === null ? null : <Failed error={error} />;
  const { media_ids: media = [], variants = [], notice } = (operation.result ?? {}) as Result;
  const course = (
    <Timeline operation={operation} error={error} seenAt={seenAt} phases={t.phases} noteAs={said} />
  );
  if (!hasEnded(operation)) {
    return (
      <Section title={t.made} beside={<Stop id={id} />}>
        {course}
      </Section>
    );
  }
  return (
    <>
      <Section title={t.made}>
        <Failure operation={operation} hasParts={media.length > 0} />
        {typeof notice === 'string' && (
          <Text size="sm" c="dimmed">
            {said(notice)}
          </Text>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {media.map((each) => (
            <Loaded key={each} query={assetOf(each)}>
              {(asset) => <MadeAsset asset={asset} />}
            </Loaded>
          ))}
          {variants.map((words) => (
            <MadeWords key={JSON.stringify(words)} words={words} />
          ))}
        </SimpleGrid>
      </Section>
      <Section title={t.progress}>{course}</Section>
    </>
  );
}

function Stop({ id }: { id: number }) {
  const t = useTexts(creativeTexts);
  const c = useTexts(common);
  const { mutateAsync } = useWrite(cancel);
  return (
    <ActionButton
      size="compact-sm"
      variant="default"
      action={{
        label: t.stop,
        route: cancel.route,
        confirm: { title: t.stopTitle, body: t.stopBody, keep: c.keep },
        run: async () => await mutateAsync({ path: { id } }),
        done: t.stopped,
      }}
    />
  );
}

/** Why there is nothing, or less than was asked for, and what to do about it. */
function Failure({ operation, hasParts }: { operation: Operation; hasParts: boolean }) {
  const t = useTexts(creativeTexts);
  const { status } = operation;
  if (status !== 'failed' && status !== 'cancelled') return null;
  const { error = status } = (operation.error ?? {}) as { error?: string };
  return (
    <Alert color="red" variant="light">
      {wordOf(t.failures, error)}
      {hasParts && ` ${t.keptParts}`}
    </Alert>
  );
}

function MadeAsset({ asset }: { asset: Asset }) {
  const t = useTexts(creativeTexts);
  const navigate = useNavigate();
  const { mutateAsync } = useWrite(create);
  return (
    <Card withBorder>
      <Stack gap="xs">
        <Preview creative={previewOfAsset(asset)} />
        <ActionButton
          size="compact-sm"
          action={{
            label: t.using,
            route: create.route,
            done: t.used,
            run: async () => {
              const made = await mutateAsync({
                body: newCreativeOf('BANNER', { from: 'file', asset }, null),
              });
              await navigate({ to: '/advertiser/creatives/$id', params: { id: made.id } });
            },
          }}
        />
      </Stack>
    </Card>
  );
}

function MadeWords({ words }: { words: Words }) {
  const t = useTexts(creativeTexts);
  const { colon } = useMarks();
  const lines: [string, string | undefined][] = [
    [t.titleWord, words.title],
    [t.description, words.description],
    [t.button, words.button_text],
  ];
  return (
    <Card withBorder>
      <Stack gap="xs">
        {lines.map(([name, text]) =>
          text === undefined ? (
            <Text key={name} size="sm" c="dimmed">
              {name}
              {colon}—
            </Text>
          ) : (
            <CopyCode key={name} label={name} code={text} />
          ),
        )}
        <ButtonLink
          to="/advertiser/ads/new"
          search={words}
          size="compact-sm"
          variant="default"
          w="fit-content"
        >
          {t.usingWords}
        </ButtonLink>
      </Stack>
    </Card>
  );
}
