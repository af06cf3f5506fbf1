import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../../../parts/texts.ts';
import { operator } from '../../../../texts/operator.ts';

/** Instead of a page of other roles, which a link may lead to: nothing of it is asked for. */
export function NotYours({ title, why }: { title: string; why: string | null }) {
  const t = useTexts(operator);
  return (
    <Stack gap="md">
      <Title order={1}>{title}</Title>
      <div>
        <Text>{why}</Text>
        <Text>{t.askThem}</Text>
      </div>
      <Anchor size="sm" renderRoot={(props) => <Link to="/operator" {...props} />}>
        {t.toDesk}
      </Anchor>
    </Stack>
  );
}
