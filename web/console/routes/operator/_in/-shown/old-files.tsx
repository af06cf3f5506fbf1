import { Alert, Stack, Text } from '@mantine/core';
import { useTexts } from '../../../../parts/texts.ts';
import { Since } from '../../../../parts/time.tsx';
import { payoutBoard } from '../../../../texts/payout-board.ts';
import classes from './old-files.module.css';
import { PageLink } from './page-link.tsx';

/** Files that were taken back and that the bank has: their payouts may be paid twice. */
export function OldFiles(props: {
  files: readonly {
    reference: string;
    withdrawal_ids: readonly number[];
    at: string | null;
  }[];
}) {
  const t = useTexts(payoutBoard);
  if (props.files.length === 0) return null;
  return (
    <Alert color="red" variant="light" role="alert" title={t.oldFiles}>
      <Stack gap={4}>
        {props.files.map(({ reference, withdrawal_ids: ids, at }) => (
          <Text key={reference} size="sm">
            {t.oldFile(reference)}
            {at !== null && (
              <>
                {' · '}
                <Since at={at} />
              </>
            )}
            {ids.map((id) => (
              <span key={id}>
                {' · '}
                <PageLink
                  to={`/operator/withdrawals/${id}`}
                  className={classes['link'] ?? ''}
                  underline="always"
                >{`WD-${id}`}</PageLink>
              </span>
            ))}
          </Text>
        ))}
        <Text size="sm">{t.oldFileHelp}</Text>
      </Stack>
    </Alert>
  );
}
