import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../../../parts/texts.ts';
import { desk } from '../../../../texts/desk.ts';

/** The palette leads here for what has no page of its own. */
export function OneThing({
  type = '',
  id = 0,
}: {
  type: string | undefined;
  id: number | undefined;
}) {
  const t = useTexts(desk);
  return (
    <>
      {t.ofOne(type, id)}{' '}
      <Anchor size="sm" component={Link} to="/operator">
        {t.wholeQueue}
      </Anchor>
    </>
  );
}
