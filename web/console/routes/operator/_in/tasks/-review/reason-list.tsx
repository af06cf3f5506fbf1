import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { Answer } from '../../../../../../client/client.ts';
import { usePreferences } from '../../../../../parts/preferences.tsx';
import { useMarks, useTexts } from '../../../../../parts/texts.ts';
import { review } from '../../../../../texts/review.ts';

export type CatalogueReason = Answer<'GET /api/admin/review-reasons'>['items'][number];

/** What is chosen, each with what is added to it. */
export type Chosen = ReadonlyMap<string, string>;

const KEYS_MAX = 9;

/** The catalogue, each reason as the owner will read it. */
export function ReasonList({
  reasons,
  chosen,
  onChoose,
  error,
  unsaid,
}: {
  reasons: readonly CatalogueReason[];
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
  error: string | undefined;
  /** Said at the reason that means nothing without words. */
  unsaid: string | undefined;
}) {
  const t = useTexts(review);
  return (
    <Checkbox.Group
      label={t.reasons}
      value={[...chosen.keys()]}
      onChange={(codes) => onChoose(new Map(codes.map((code) => [code, chosen.get(code) ?? ''])))}
      error={error}
    >
      <Stack gap="sm" mt="xs">
        {reasons.map((reason, index) => (
          <Stack key={reason.code} gap={4}>
            <OneReason reason={reason} index={index} />
            {chosen.has(reason.code) && (
              <TextInput
                ml={32}
                size="xs"
                maxLength={1_000}
                label={t.reasonNote}
                withAsterisk={reason.code === 'OTHER'}
                error={reason.code === 'OTHER' ? unsaid : undefined}
                value={chosen.get(reason.code) ?? ''}
                onChange={(event) =>
                  onChoose(new Map(chosen).set(reason.code, event.currentTarget.value))
                }
              />
            )}
          </Stack>
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

function OneReason({ reason, index }: { reason: CatalogueReason; index: number }) {
  const t = useTexts(review);
  const marks = useMarks();
  const { language } = usePreferences();
  const key = index < KEYS_MAX ? `${index + 1}. ` : '';
  return (
    <Checkbox
      value={reason.code}
      {...(index === 0 ? { 'data-autofocus': true } : {})}
      label={`${key}${reason.title[language]}`}
      description={
        <>
          {reason.text[language]}
          <br />
          {t.guidance}
          {marks.colon}
          {reason.guidance[language]}
          {marks.open}
          {reason.kind === 'FINAL' ? t.final : t.retry}
          {marks.close}
        </>
      }
    />
  );
}
