import { Stack, Table, Text, Title } from '@mantine/core';
import { useTexts } from '../../../../parts/texts.ts';
import { Since, When } from '../../../../parts/time.tsx';
import type { PlatformHealth } from '../../../../queries/operator/platform.ts';
import { datacenter } from '../../../../texts/datacenter.ts';
import { Runbook } from '../-shown/runbook.tsx';

type List = PlatformHealth['datacenters'][number];

/** By which lists events are DATACENTER_IP, how old each is, and why one cannot be fetched. */
export function Datacenters({ health: { datacenters } }: { health: PlatformHealth }) {
  const t = useTexts(datacenter);
  return (
    <Stack gap="xs">
      <Title order={2}>{t.title}</Title>
      {datacenters.length === 0 ? (
        <span>{t.none}</span>
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {t.lead}
          </Text>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t.source}</Table.Th>
                <Table.Th className="number">{t.networks}</Table.Th>
                <Table.Th>{t.since}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {datacenters.map((list, index) => (
                // Two may differ in what is not shown of their addresses.
                <Table.Tr key={`${index} ${list.source}`}>
                  <Table.Td className="breaks">
                    {list.source === 'FILE' ? t.file : list.source}
                    <Failed list={list} />
                  </Table.Td>
                  <Table.Td className="number">{list.networks}</Table.Td>
                  <Table.Td>
                    {list.fetched_at === null ? t.never : <Since at={list.fetched_at} />}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </>
      )}
    </Stack>
  );
}

function Failed({ list: { failed_at: at, fault } }: { list: List }) {
  const t = useTexts(datacenter);
  if (fault === null) return null;
  return (
    <Text size="sm" c="var(--mantine-color-error)">
      {t.failed} {t.faults[fault]} · <When at={at} /> ·{' '}
      <Runbook page="datacenter-lists" about={t.faults[fault]} />
    </Text>
  );
}
