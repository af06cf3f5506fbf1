import { Alert } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { nameUnlike } from '../../../../../may/payout.ts';
import { useTexts } from '../../../../../parts/texts.ts';
import { identity } from '../../../../../queries/publisher/withdrawal.ts';
import { withdrawal } from '../../../../../texts/withdrawal.ts';

const TYPING_MS = 500;

/** Said where the name is written, and not refused: a person decides about each payout to it. */
export function OtherName() {
  const t = useTexts(withdrawal);
  const { data } = useQuery(identity);
  const holder = useWatch<{ account_holder: string }, 'account_holder'>({ name: 'account_holder' });
  const [written] = useDebouncedValue(holder, TYPING_MS);
  const name = data === undefined ? null : nameUnlike(written, data);
  return (
    <div role="status">
      {name !== null && (
        <Alert color="yellow" variant="light">
          {t.holderDiffers(name)}
        </Alert>
      )}
    </div>
  );
}
