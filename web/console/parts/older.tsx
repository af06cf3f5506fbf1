import { Group } from '@mantine/core';
import { ButtonLink } from './button-link.tsx';

/** For lists that are read from a cursor on: further back, and to the newest again. */
export function Older({
  to,
  search,
  next,
  words,
}: {
  to: string;
  /** As it is now. */
  search: { cursor?: number };
  next: number | null;
  words: { older: string; newest: string };
}) {
  return (
    <Group gap="xs">
      {search.cursor !== undefined && (
        <ButtonLink to={to} search={{ ...search, cursor: undefined } as never} variant="default">
          {words.newest}
        </ButtonLink>
      )}
      {next !== null && (
        <ButtonLink to={to} search={{ ...search, cursor: next } as never} variant="default">
          {words.older}
        </ButtonLink>
      )}
    </Group>
  );
}
