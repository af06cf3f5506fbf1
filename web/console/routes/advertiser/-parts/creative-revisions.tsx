import { Card, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import type { CreativeRevision } from '../../../../client/routes.ts';
import { changesBetween, Diff } from '../../../parts/diff.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Preview } from '../../../parts/preview.tsx';
import { State } from '../../../parts/state.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { When } from '../../../parts/time.tsx';
import { revisions } from '../../../queries/advertiser/creative.ts';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';
import { seenOf } from './creative-content.ts';
import { ReviewReasons } from '../../../parts/review-reasons.tsx';

interface Props {
  id: number;
  left: number | undefined;
  right: number | undefined;
  onChoose: (change: { left?: number; right?: number }) => void;
}

/** Two versions beside each other, and what differs for a viewer. */
export function CreativeRevisions(props: Props) {
  return (
    <Loaded query={revisions(props.id)} height={240}>
      {({ items }) => <Compared {...props} all={items} />}
    </Loaded>
  );
}

function Compared({ all, left, right, onChoose }: Props & { all: CreativeRevision[] }) {
  const t = useTexts(creativeTexts);
  const [newest] = all;
  if (newest === undefined) return null;
  const after = all.find(({ revision }) => revision === right) ?? newest;
  const before =
    all.find(({ revision }) => revision === left) ??
    all.find(({ revision }) => revision < after.revision) ??
    after;
  const options = all.map(({ revision, is_serving: serves }) => ({
    value: String(revision),
    label: `${t.revision} ${revision}${serves ? ` · ${t.servingNow}` : ''}`,
  }));
  if (all.length === 1) {
    return (
      <Stack>
        <Text size="sm">{t.onlyOne}</Text>
        <One revision={newest} />
      </Stack>
    );
  }
  const changes = changesBetween(seenOf(before), seenOf(after));
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Stack gap="xs">
          <Select
            label={t.left}
            data={options}
            value={String(before.revision)}
            onChange={(value) => onChoose({ left: Number(value) })}
            allowDeselect={false}
          />
          <One revision={before} />
        </Stack>
        <Stack gap="xs">
          <Select
            label={t.right}
            data={options}
            value={String(after.revision)}
            onChange={(value) => onChoose({ right: Number(value) })}
            allowDeselect={false}
          />
          <One revision={after} />
        </Stack>
      </SimpleGrid>
      {changes.length === 0 ? <Text size="sm">{t.same}</Text> : <Diff changes={changes} />}
    </Stack>
  );
}

function One({ revision }: { revision: CreativeRevision }) {
  const t = useTexts(creativeTexts);
  return (
    <Card withBorder>
      <Stack gap="xs">
        <Group gap="xs">
          <Text fw={600}>
            {t.revision} {revision.revision}
          </Text>
          <State state={revision.audit_status} />
          {revision.is_serving && <State state="ELIGIBLE" />}
          <Text size="xs" c="dimmed">
            <When at={revision.created_at} />
          </Text>
        </Group>
        <Preview creative={{ ...revision, name: `${t.revision} ${revision.revision}` }} />
        <ReviewReasons realm="advertiser" subject="creative" reasons={revision.audit_reasons} />
      </Stack>
    </Card>
  );
}
