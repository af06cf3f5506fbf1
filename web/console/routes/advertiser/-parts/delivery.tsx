import { Alert, Text } from '@mantine/core';
import type { Ad } from '../../../../client/routes.ts';
import { AskedPopover } from '../../../parts/asked-popover.tsx';
import { State } from '../../../parts/state.tsx';
import { useTexts, wordOf } from '../../../parts/texts.ts';
import type { Level } from '../../../queries/advertiser/inventory.ts';
import { delivery } from '../../../texts/advertiser/delivery.ts';
import { states } from '../../../texts/states.ts';
import type { Ids } from './delivery-fix.ts';
import { DeliveryReasons } from './delivery-reasons.tsx';

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
          <DeliveryReasons reasons={row.delivery_reasons} ids={ids} />
        </>
      )}
    </AskedPopover>
  );
}

/** On a page: nothing while all is well. What was sent back says so itself, above this. */
export function WhyNot({ row, ids, level }: { row: Served; ids: Ids; level: Level }) {
  const t = useTexts(delivery);
  const reasons = row.delivery_reasons.filter(
    (reason) => reason !== `${level.toUpperCase()}_REJECTED`,
  );
  if (reasons.length === 0) return null;
  return (
    <Alert
      color={row.delivery_status === 'ELIGIBLE' ? 'blue' : 'yellow'}
      variant="light"
      title={titleOf(row, t)}
    >
      <DeliveryReasons reasons={reasons} ids={ids} />
    </Alert>
  );
}

const titleOf = (row: Served, t: { title: string; noteTitle: string }): string =>
  row.delivery_status === 'ELIGIBLE' ? t.noteTitle : t.title;
