import { Group, Text } from '@mantine/core';
import { usePreferences } from '../../../parts/preferences.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { formatTime } from '../../../parts/time.tsx';
import type { Report } from '../../../queries/advertiser/report.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';

/** How far it is counted, in which zone, and whether it may still change. */
export function Finality({ report }: { report: Pick<Report, 'as_of' | 'is_final' | 'timezone'> }) {
  const t = useTexts(inventory);
  const { language, timeZone } = usePreferences();
  const { as_of: asOf, is_final: isFinal, timezone } = report;
  return (
    <Group gap="xs">
      <Text size="xs" c="dimmed" data-final={isFinal}>
        {[
          asOf === null ? null : t.reached(formatTime(asOf, language, timeZone)),
          isFinal ? t.final : t.notFinal,
          timezone,
        ]
          .filter((part) => part !== null)
          .join(' · ')}
      </Text>
    </Group>
  );
}
