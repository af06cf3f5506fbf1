import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { webhookTexts } from '../texts/webhook.ts';
import { CopyCode } from './copy-code.tsx';
import { useTexts } from './texts.ts';

/** As it was made; whoever leads on has lost it. */
export function NewSecret({ secret, children }: { secret: string; children: ReactNode }) {
  const t = useTexts(webhookTexts);
  return (
    <Alert color="yellow" variant="light" title={t.secretTitle} role="status">
      <Stack gap="sm">
        <Text size="sm">{t.secretHelp}</Text>
        <CopyCode label={t.secret} code={secret} />
        <div>{children}</div>
      </Stack>
    </Alert>
  );
}
