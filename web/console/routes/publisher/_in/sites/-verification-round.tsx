import { Card, Group, Loader, Stack, Text } from '@mantine/core';
import type { Site } from '../../../../../client/routes.ts';
import { Failed } from '../../../../parts/failed.tsx';
import { Facts } from '../../../../parts/facts.tsx';
import { hasEnded, useOperation } from '../../../../parts/live.ts';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { Since } from '../../../../parts/time.tsx';
import { VERIFIED } from '../../../../queries/publisher/site.ts';
import { site } from '../../../../texts/site.ts';
import { useProofNames } from './-proof-names.ts';

type Method = NonNullable<Site['verify_method']>;

interface Progress {
  attempts: number;
  last_outcome: string | null;
  next_attempt_at: string | null;
}

/** One round of looking for the proof, as it goes on. */
export function VerificationRound({
  id,
  row,
  method,
}: {
  id: number;
  row: Site;
  method: Method | null;
}) {
  const t = useTexts(site);
  const names = useProofNames(row);
  const { operation, error } = useOperation('GET /api/publisher/operations/{id}', id, VERIFIED);
  if (operation === undefined) return error === null ? null : <Failed error={error} />;
  // Of a domain that is not this site's any more, or followed by another round.
  if (operation.status === 'cancelled') return null;
  const progress = (operation.progress ?? null) as Progress | null;
  const goesOn = !hasEnded(operation);
  return (
    <Card withBorder padding="sm" maw="44rem" aria-live="polite">
      <Stack gap="xs">
        <Group gap="sm">
          {goesOn && <Loader size="xs" aria-hidden />}
          <Text fw={600}>{t.checking(method === null ? '' : names[method])}</Text>
          <State state={operation.status} />
        </Group>
        <Text size="sm">{outcomeOf(t, progress?.last_outcome ?? null, method) ?? t.notLooked}</Text>
        {progress !== null && (
          <Facts
            rows={[
              [t.looks, t.attempts(progress.attempts)],
              ...(goesOn
                ? [[t.nextTry, <Since key="next" at={progress.next_attempt_at} />] as const]
                : []),
            ]}
          />
        )}
        {goesOn && progress !== null && (
          <Text size="sm" c="dimmed">
            {t.youMayRepair}
          </Text>
        )}
        {error !== null && <Failed error={error} />}
      </Stack>
    </Card>
  );
}

/** In words; a code that is new here is shown as it is. */
function outcomeOf(
  t: Same<(typeof site)['en']>,
  outcome: string | null,
  method: Method | null,
): string | null {
  if (outcome === null) return null;
  const own: Readonly<Record<string, string>> = method === null ? {} : t.outcomesBy[method];
  if (own[outcome] !== undefined) return own[outcome];
  if (outcome.startsWith('HTTP_')) return t.http(outcome.slice('HTTP_'.length));
  return (t.outcomes as Readonly<Record<string, string>>)[outcome] ?? outcome;
}
