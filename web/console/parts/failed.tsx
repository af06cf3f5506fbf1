import { Alert, Button, Group, Text } from '@mantine/core';
import { ApiError } from '../../client/client.ts';
import { common } from '../texts/common.ts';
import { useTexts } from './texts.ts';

/** A refusal in the API's words, with what can be done next. */
export function Failed({ error, again }: { error: Error; again?: (() => void) | undefined }) {
  const t = useTexts(common);
  return (
    <Alert color="red" variant="light" title={t.failed} role="alert" my="sm">
      <Text size="sm">{saying(error, t)}</Text>
      {error instanceof ApiError && error.requestId !== undefined && (
        <Text size="xs" c="dimmed">
          {t.request(error.requestId)}
        </Text>
      )}
      {again !== undefined && (
        <Group mt="xs">
          <Button size="xs" variant="default" onClick={again}>
            {t.tryAgain}
          </Button>
        </Group>
      )}
    </Alert>
  );
}

function saying(error: Error, t: { reached: string; wait: (seconds: number) => string }): string {
  if (!(error instanceof ApiError)) return error.message;
  if (error.status === 0) return t.reached;
  if (error.retryAfterSeconds !== undefined) return t.wait(error.retryAfterSeconds);
  const lines = error.errors.map(({ field, message }) => `${field}: ${message}`);
  return [error.message, ...lines].join(' ');
}
