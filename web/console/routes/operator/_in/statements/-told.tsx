import { Alert, Stack, Table, Text, Title } from '@mantine/core';
import { useMarks, useTexts } from '../../../../parts/texts.ts';
import type { StatusFile } from '../../../../queries/operator/statement.ts';
import { statement } from '../../../../texts/statement.ts';
import { OldFiles } from '../-shown/old-files.tsx';
import { PageLink } from '../-shown/page-link.tsx';

/** What a file of the bank said of our orders, and what became of each. */
export function Told({ file }: { file: StatusFile }) {
  const t = useTexts(statement);
  const marks = useMarks();
  return (
    <Stack gap="sm" component="section" aria-label={t.told} my="md">
      <Title order={2}>{t.told}</Title>
      {file.repeated && (
        <Alert color="blue" variant="light" role="status">
          {t.toldBefore}
        </Alert>
      )}
      <OldFiles files={oldFilesOf(file)} />
      {file.remarks.length === 0 && <Text>{t.toldNothing}</Text>}
      <Table>
        <Table.Tbody>
          {file.remarks.map((remark) => (
            <Table.Tr key={remark.reference}>
              <Table.Td>
                <PageLink to={`/operator/withdrawals/${remark.withdrawal_id}`}>
                  {remark.reference}
                </PageLink>
              </Table.Td>
              <Table.Td>
                {t.said[remark.status]}
                {marks.open}
                {remark.code}
                {marks.close}
                <Text size="xs" c="dimmed">
                  {[remark.reason, remark.words].filter((part) => part !== null).join(marks.colon)}
                </Text>
              </Table.Td>
              <Table.Td>
                {remark.outcome === 'ASKED' ? (
                  <PageLink
                    to={`/operator?subject_type=withdrawal&subject_id=${remark.withdrawal_id}`}
                  >
                    {t.outcomes.ASKED}
                  </PageLink>
                ) : (
                  t.outcomes[remark.outcome]
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

/** The files that were taken back and that the bank speaks of as its own, with the orders that it named. */
function oldFilesOf({ remarks }: StatusFile) {
  const names = new Set(remarks.map(({ old_file: name }) => name).filter((name) => name !== null));
  return [...names].map((reference) => ({
    reference,
    withdrawal_ids: remarks
      .filter((each) => each.old_file === reference)
      .map((each) => each.withdrawal_id),
    at: null,
  }));
}
