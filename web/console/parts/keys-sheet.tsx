import { Group, Kbd, Stack, Text } from '@mantine/core';
import { common } from '../texts/common.ts';
import { Dialog } from './dialog.tsx';
import type { KeyBinding } from './keys.tsx';
import { useTexts } from './texts.ts';

/** All keys of a page, and what each does. */
export function KeysSheet({
  bindings,
  close,
}: {
  bindings: readonly KeyBinding[];
  close: () => void;
}) {
  const t = useTexts(common);
  return (
    <Dialog onClose={close} title={t.shortcuts}>
      <Stack gap="xs">
        {bindings.map(({ key, label }) => (
          <Group key={key} justify="space-between" wrap="nowrap">
            <Text size="sm">{label}</Text>
            <Kbd>{key}</Kbd>
          </Group>
        ))}
      </Stack>
    </Dialog>
  );
}
