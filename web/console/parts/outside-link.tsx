import { Anchor, Group, Text } from '@mantine/core';
import { NONE } from './none.tsx';

/** A stranger's address as text; it opens elsewhere, without telling where from. */
export function OutsideLink({ url, label }: { url: string | null | undefined; label: string }) {
  if (url === null || url === undefined || url === '') return NONE;
  const isWeb = /^https?:\/\//i.test(url);
  return (
    <Group gap="xs">
      <Text span size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {url}
      </Text>
      {isWeb && (
        <Anchor size="sm" href={url} target="_blank" rel="noreferrer noopener">
          {label} ↗
        </Anchor>
      )}
    </Group>
  );
}
