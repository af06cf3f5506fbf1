import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { mayOpen } from '../../../../may/operator.ts';
import { useMarks, useTexts, wordOf } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { REFRESH_MS } from '../../../../parts/refresh.ts';
import { profile } from '../../../../queries/operator/account.ts';
import { type ApprovalQuery, approvals } from '../../../../queries/operator/approval.ts';
import { approval } from '../../../../texts/approval.ts';
import { setting } from '../../../../texts/setting.ts';
import { numberIn, useShownValue } from './setting-value.ts';

/** What waits for a second person, with who asked, since when and for what; nothing where nothing waits. */
export function WaitingApprovals({ of }: { of: ApprovalQuery }) {
  const t = useTexts(approval);
  const { keys } = useTexts(setting);
  const settingAs = useShownValue();
  const { colon } = useMarks();
  const { data: me } = useQuery(profile);
  const { data } = useQuery({
    ...approvals({ state: 'PROPOSED', ...of }),
    refetchInterval: REFRESH_MS,
    enabled: me !== undefined && mayOpen(me.role, 'approvals'),
  });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" title={t.waits(data.total)}>
      <Stack gap="xs">
        {data.items.map(({ id, kind, subject, maker, created_at: at, asks }) => (
          <Text key={id} size="sm">
            <Anchor component={Link} to={`/operator/approvals/${id}`} size="sm">
              {t.kinds[kind]} {kind === 'setting' ? wordOf(keys, subject) : subject}
            </Anchor>
            {asks.map(
              ({ name, value }) =>
                ` · ${wordOf(t.facts, name)}${colon}${kind === 'setting' ? settingAs(subject, numberIn(value)) : value}`,
            )}{' '}
            · {t.maker} {maker ?? t.platform} · <When at={at} />
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}
