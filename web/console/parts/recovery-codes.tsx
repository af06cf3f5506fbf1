import { Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { security } from '../texts/security.ts';
import { Dialog } from './dialog.tsx';
import { useTexts } from './texts.ts';

/** Shown this once; the platform keeps their hashes alone. */
export function RecoveryCodes({ codes, close }: { codes: readonly string[]; close: () => void }) {
  const t = useTexts(security);
  return (
    <Dialog onClose={close} title={t.codesTitle} centered closeOnClickOutside={false}>
      <Stack>
        <Text size="sm">{t.codesLead}</Text>
        <SimpleGrid cols={2} spacing="xs">
          {codes.map((code) => (
            <Code key={code}>{code}</Code>
          ))}
        </SimpleGrid>
        <Group justify="flex-end">
          <Button data-autofocus onClick={close}>
            {t.codesKept}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
