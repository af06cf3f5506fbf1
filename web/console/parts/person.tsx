import { Text } from '@mantine/core';

/** Who of an account it was; their address tells two of one name apart. */
export const Person = ({ person }: { person: { name: string | null; email: string } }) => (
  <>
    {person.name ?? person.email}
    {person.name !== null && (
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {person.email}
      </Text>
    )}
  </>
);
