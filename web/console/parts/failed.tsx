import { Alert, Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../client/client.ts';
import type { NamedField } from '../messages.ts';
import { common } from '../texts/common.ts';
import { IN_TIME } from '../waiting.ts';
import { isOffline, isStale } from './stale.tsx';
import { type Same, useTexts } from './texts.ts';

/** A refusal in the API's words, with what can be done next. */
export function Failed({ error, again }: { error: Error; again?: (() => void) | undefined }) {
  const t = useTexts(common);
  const queries = useQueryClient();
  const isConflict = error instanceof ApiError && error.status === 409;
  // What was written stays; what it is about is read anew.
  const lookAgain = isConflict ? () => void queries.invalidateQueries() : undefined;
  const next = again ?? lookAgain;
  return (
    <Alert color="red" variant="light" title={t.failed} role="alert" my="sm">
      <Text size="sm">{saying(error, t)}</Text>
      {error instanceof ApiError && error.requestId !== undefined && (
        <Text size="xs" c="dimmed">
          {t.request(error.requestId)}
        </Text>
      )}
      {next !== undefined && (
        <Group mt="xs">
          <Button size="xs" variant="default" onClick={next}>
            {again === undefined ? t.lookAgain : t.tryAgain}
          </Button>
        </Group>
      )}
    </Alert>
  );
}

/** What happened and what to do about it; the API's refusals say both. */
export function saying(error: Error, t: Same<(typeof common)['en']>): string {
  if (isOffline(error)) return t.reached;
  if (isStale(error)) return t.staleHelp;
  if (!(error instanceof ApiError)) return error.message;
  if (isUnanswered(error)) return t.unanswered;
  if (error.token === IN_TIME) return t.late;
  if (error.status === 0) return t.reached;
  const { status, retryAfterSeconds: seconds } = error;
  if (status === 429) return seconds === undefined ? t.waitSome : t.wait(seconds);
  // A proxy in front of the API has no words of ours.
  if (status >= 500 && error.token === 'unreachable') return t.away;
  const lines = error.errors.map(({ field, message, label }: NamedField) =>
    t.ofField(label ?? field, message),
  );
  const advice = adviceOn(error, t);
  return t.sentences([error.message, ...lines, ...(advice === null ? [] : [advice])]);
}

/** A change that somebody may have heard: doors apart, which are tried again without a thought. */
const isUnanswered = ({ status, token, route }: ApiError): boolean =>
  !/^GET|\/auth\//.test(route) &&
  (token === 'unreachable' || token === IN_TIME) &&
  (status === 0 || (status >= 500 && status !== 503));

function adviceOn({ status, token }: ApiError, t: Same<(typeof common)['en']>): string | null {
  // Nobody in it may do anything: the platform's, or for a member whoever manages it.
  if (token === 'account_suspended') return t.suspended;
  if (status === 403) return t.askThem;
  return status === 409 ? t.mayHaveChanged : null;
}
