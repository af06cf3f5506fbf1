import { Alert, Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Ad } from '../../../../client/routes.ts';
import { useWrite } from '../../../api.ts';
import { type Action, ActionButton } from '../../../parts/action.tsx';
import { AskedPopover } from '../../../parts/asked-popover.tsx';
import { ButtonLink } from '../../../parts/button-link.tsx';
import { linkTo } from '../../../parts/link-to.ts';
import { State } from '../../../parts/state.tsx';
import { useTexts, wordOf } from '../../../parts/texts.ts';
import { one as campaignOf } from '../../../queries/advertiser/campaign.ts';
import { INVENTORY, type Level } from '../../../queries/advertiser/inventory.ts';
import { delivery } from '../../../texts/advertiser/delivery.ts';
import { states } from '../../../texts/states.ts';
import { fixOf, type Ids, isOfEither } from './delivery-fix.ts';
import { useSubmit } from './use-submit.ts';

type Served = Pick<Ad, 'delivery_status' | 'delivery_reasons'>;

/** In a list: the state, and behind it why and what to do, one click away. */
export function Delivery({ row, ids }: { row: Served; ids: Ids }) {
  const t = useTexts(delivery);
  const s = useTexts(states);
  if (row.delivery_reasons.length === 0) return <State state={row.delivery_status} />;
  return (
    <AskedPopover
      width={340}
      align="start"
      label={t.why(wordOf(s, row.delivery_status))}
      button={
        <>
          <State state={row.delivery_status} />
          &nbsp;<u>?</u>
        </>
      }
    >
      {() => (
        <>
          <Text fw={600} size="sm" mb="xs">
            {titleOf(row, t)}
          </Text>
          <ReasonList row={row} ids={ids} />
        </>
      )}
    </AskedPopover>
  );
}

/** On a page: nothing while all is well. */
export function WhyNot({ row, ids }: { row: Served; ids: Ids }) {
  const t = useTexts(delivery);
  if (row.delivery_reasons.length === 0) return null;
  return (
    <Alert
      color={row.delivery_status === 'ELIGIBLE' ? 'blue' : 'yellow'}
      variant="light"
      title={titleOf(row, t)}
    >
      <ReasonList row={row} ids={ids} />
    </Alert>
  );
}

const titleOf = (row: Served, t: { title: string; noteTitle: string }): string =>
  row.delivery_status === 'ELIGIBLE' ? t.noteTitle : t.title;

function ReasonList({ row, ids }: { row: Served; ids: Ids }) {
  const t = useTexts(delivery);
  return (
    <List listStyleType="none" spacing="xs" size="sm">
      {row.delivery_reasons.map((reason) => (
        <List.Item key={reason} data-reason={reason}>
          <Group gap="xs">
            <span>{wordOf(t.reasons, reason)}</span>
            <Remedy reason={reason} ids={ids} />
          </Group>
        </List.Item>
      ))}
    </List>
  );
}

function Remedy({ reason, ids }: { reason: string; ids: Ids }) {
  const t = useTexts(delivery);
  const isEither = isOfEither(reason, ids);
  const { data: campaign } = useQuery({ ...campaignOf(ids.campaign ?? 0), enabled: isEither });
  // Before the campaign was read nobody knows where it leads.
  if (isEither && campaign === undefined) return null;
  const fix = fixOf(reason, ids, campaign?.delivery_reasons.includes(reason));
  if (fix === null) return null;
  if (fix.kind === 'link') {
    return (
      <ButtonLink {...linkTo(fix.to)} size="compact-xs" variant="default">
        {t[fix.text]}
      </ButtonLink>
    );
  }
  const { kind, level, id } = fix;
  return kind === 'toggle' ? <Toggle level={level} id={id} /> : <Submit level={level} id={id} />;
}

interface MoveProps {
  level: Level;
  id: number;
}

function Toggle({ level, id }: MoveProps) {
  const t = useTexts(delivery);
  const { mutateAsync } = useWrite(INVENTORY[level].toggle);
  return (
    <Move
      action={{
        label: t.resume,
        route: INVENTORY[level].toggle.route,
        run: async () => await mutateAsync({ path: { id } }),
        done: t.resumed,
      }}
    />
  );
}

function Submit({ level, id }: MoveProps) {
  const t = useTexts(delivery);
  const submit = useSubmit(level);
  const run = async (): Promise<void> => await submit({ id, name: `#${id}` });
  return <Move action={{ label: t.submit, route: INVENTORY[level].submit.route, run }} />;
}

const Move = ({ action }: { action: Action }) => (
  <ActionButton size="compact-xs" variant="default" action={action} />
);
