import { SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useWrite } from '../../../../api.ts';
import { NumberField, SelectField, TextAreaField } from '../../../../parts/fields.tsx';
import { Form } from '../../../../parts/form.tsx';
import { Page } from '../../../../parts/page.tsx';
import { numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { makeCopy, makeImage, makeVideo } from '../../../../queries/advertiser/media.ts';
import { creativeTexts } from '../../../../texts/advertiser/creative.ts';
import { titles } from '../../../../texts/titles.ts';
import { Generated } from '../../-parts/generated.tsx';

const KINDS = ['image', 'video', 'copy'] as const;
const TONES = ['neutral', 'friendly', 'formal', 'urgent', 'playful'] as const;
const SHAPES = ['1.91:1', '1:1', '16:9', '9:16', '4:3', '3:4'] as const;

const MAKES = { image: makeImage, video: makeVideo, copy: makeCopy } as const;

/** The operation is in the address: who comes back later still sees how it goes on. */
export const Route = createFileRoute('/advertiser/_in/creatives/generate')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({ kind: oneOf(KINDS, raw['kind']), operation: numberOf(raw['operation']) }),
  staticData: { title: (language) => titles[language].creativeGenerate },
  component: Generate,
});

interface Values {
  prompt: string;
  n: number;
  tone: (typeof TONES)[number];
  aspect_ratio: (typeof SHAPES)[number];
  duration_s: number;
}

function Generate() {
  const t = useTexts(creativeTexts);
  const { language } = usePreferences();
  const { kind = 'image', operation } = Route.useSearch();
  const navigate = Route.useNavigate();
  const image = useWrite(makeImage);
  const video = useWrite(makeVideo);
  const copy = useWrite(makeCopy);
  const send = async ({ aspect_ratio, duration_s, ...common }: Values): Promise<void> => {
    const accepted =
      kind === 'image'
        ? await image.mutateAsync({ body: { ...common, aspect_ratio } })
        : kind === 'video'
          ? await video.mutateAsync({ body: { ...common, n: 1, aspect_ratio, duration_s } })
          : await copy.mutateAsync({ body: { ...common, language } });
    await navigate({ search: { kind, operation: accepted.operation.id }, ignoreBlocker: true });
  };
  return (
    <Page
      title={t.generate}
      lead={t.generateLead}
      crumbs={[{ text: t.title, to: '/advertiser/creatives' }]}
    >
      <Stack gap={4}>
        <Text size="sm" fw={600} id="kind-of-media">
          {t.what}
        </Text>
        <SegmentedControl
          aria-labelledby="kind-of-media"
          value={kind}
          w="fit-content"
          data={[
            { value: 'image', label: t.picture },
            { value: 'video', label: t.video },
            { value: 'copy', label: t.copy },
          ]}
          onChange={(next) => {
            const search = { kind: oneOf(KINDS, next) ?? 'image' };
            // The words stay.
            void navigate({ search, ignoreBlocker: true });
          }}
        />
      </Stack>
      <Form<Values>
        values={{ prompt: '', n: 2, tone: 'neutral', aspect_ratio: '1.91:1', duration_s: 4 }}
        route={MAKES[kind].route}
        submit={t.make}
        send={send}
      >
        <TextAreaField
          name="prompt"
          label={t.prompt}
          help={kind === 'copy' ? t.wordsHint : t.promptHint}
          required
        />
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          {kind !== 'video' && <NumberField name="n" label={t.many} min={1} max={4} />}
          <SelectField
            name="tone"
            label={t.tone}
            options={TONES.map((value) => ({ value, label: t.tones[value] }))}
          />
          {kind !== 'copy' && (
            <SelectField
              name="aspect_ratio"
              label={t.shape}
              options={SHAPES.map((value) => ({ value, label: value }))}
            />
          )}
          {kind === 'video' && <NumberField name="duration_s" label={t.seconds} min={1} />}
        </SimpleGrid>
      </Form>
      {operation !== undefined && <Generated id={operation} />}
    </Page>
  );
}
