import { Card, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AdRevision, CreativeRevision } from '../../../../client/routes.ts';
import { changesBetween, Diff } from '../../../parts/diff.tsx';
import { ReviewReasons } from '../../../parts/review-reasons.tsx';
import { State } from '../../../parts/state.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { When } from '../../../parts/time.tsx';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';

export interface Chosen {
  left: number | undefined;
  right: number | undefined;
  onChoose: (change: { left?: number; right?: number }) => void;
}

interface Props<Revision> extends Chosen {
  subject: 'ad' | 'creative';
  /** Newest first. */
  all: readonly Revision[];
  /** What a viewer could tell apart, and how it is called. */
  seenOf: (revision: Revision) => object;
  names?: Record<string, string>;
  show: (revision: Revision) => ReactNode;
}

/** Two versions beside each other, and what differs for a viewer. */
export function ComparedRevisions<Revision extends AdRevision | CreativeRevision>({
  all,
  left,
  right,
  onChoose,
  seenOf,
  names = {},
  ...rest
}: Props<Revision>) {
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
        <One revision={newest} {...rest} />
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
          <One revision={before} {...rest} />
        </Stack>
        <Stack gap="xs">
          <Select
            label={t.right}
            data={options}
            value={String(after.revision)}
            onChange={(value) => onChoose({ right: Number(value) })}
            allowDeselect={false}
          />
          <One revision={after} {...rest} />
        </Stack>
      </SimpleGrid>
      {changes.length === 0 ? (
        <Text size="sm">{t.same}</Text>
      ) : (
        <Diff changes={changes} names={names} />
      )}
    </Stack>
  );
}

function One<Revision extends AdRevision | CreativeRevision>({
  revision,
  subject,
  show,
}: Pick<Props<Revision>, 'subject' | 'show'> & { revision: Revision }) {
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
        {show(revision)}
        <ReviewReasons realm="advertiser" subject={subject} reasons={revision.audit_reasons} />
      </Stack>
    </Card>
  );
}
