import { Anchor, Stack, Table, Title } from '@mantine/core';
import { Facts } from '../../../../parts/facts.tsx';
import { useMarks, useTexts } from '../../../../parts/texts.ts';
import { Since, When } from '../../../../parts/time.tsx';
import type { PlatformHealth } from '../../../../queries/operator/platform.ts';
import { platform } from '../../../../texts/platform.ts';

/** Where flows and their records do not agree, and only a person can say why. */
export function FlowFindings({ health: { flows } }: { health: PlatformHealth }) {
  const t = useTexts(platform);
  const { open, close } = useMarks();
  return (
    <Stack gap="xs">
      <Title order={2}>{t.flowsChecked}</Title>
      <Facts
        rows={[
          [t.checkedAt, <When key="c" at={flows.checked_at} />],
          [t.healedToday, flows.healed_today],
        ]}
      />
      {flows.findings.length === 0 ? (
        <span>{t.flowsAgree}</span>
      ) : (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.finding}</Table.Th>
              <Table.Th>{t.subject}</Table.Th>
              <Table.Th className="number">{t.tries}</Table.Th>
              <Table.Th>{t.at}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {flows.findings.map(
              ({ id, kind, subject, detail, heals, since, workflow_url: url }) => (
                <Table.Tr key={id}>
                  <Table.Td className="breaks">{t.findings[kind]}</Table.Td>
                  <Table.Td className="breaks">
                    {url === null ? (
                      `${subject}${open}${detail}${close}`
                    ) : (
                      <Anchor size="sm" href={url} target="_blank" rel="noreferrer noopener">
                        {`${subject}${open}${detail}${close}`} ↗
                      </Anchor>
                    )}
                  </Table.Td>
                  <Table.Td className="number">{heals}</Table.Td>
                  <Table.Td>
                    <Since at={since} />
                  </Table.Td>
                </Table.Tr>
              ),
            )}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}
