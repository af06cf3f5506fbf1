import { Button, Code, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { common } from '../texts/common.ts';
import { security } from '../texts/security.ts';
import { Dialog } from './dialog.tsx';
import { useTexts } from './texts.ts';

/** Shown this once; the platform keeps their hashes alone. */
export function RecoveryCodes({ codes, close }: { codes: readonly string[]; close: () => void }) {
  const t = useTexts(security);
  const c = useTexts(common);
  return (
    // Only who says that they are kept goes on: they are not shown again.
    <Dialog
      onClose={close}
      title={t.codesTitle}
      centered
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text size="sm">{t.codesLead}</Text>
        <SimpleGrid cols={2} spacing="xs">
          {codes.map((code) => (
            <Code key={code}>{code}</Code>
          ))}
        </SimpleGrid>
        <Group justify="flex-end">
          <CopyButton value={codes.join('\n')}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                <span aria-live="polite">{copied ? c.copied : t.copyCodes}</span>
              </Button>
            )}
          </CopyButton>
          <Button data-autofocus onClick={close}>
            {t.codesKept}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
