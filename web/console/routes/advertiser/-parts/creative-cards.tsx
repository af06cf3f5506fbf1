import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Creative } from '../../../../client/routes.ts';
import { type Column, ListFoot, type PageOf } from '../../../parts/list-page.tsx';
import { State } from '../../../parts/state.tsx';
import { useTexts, wordOf } from '../../../parts/texts.ts';
import { toggled, type useChoice } from '../../../parts/use-choice.ts';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';
import { common } from '../../../texts/common.ts';
import { RowActions } from './below-lists.tsx';
import classes from './creatives.module.css';
import { Delivery } from './delivery.tsx';
import { Thumbnail } from './thumbnail.tsx';

interface Props {
  page: PageOf<Creative>;
  file: ReactNode;
  /** What each brought, below its picture. */
  figures: readonly Column<Creative, unknown>[];
  choice: Choice;
  onPage: (page: number) => void;
}
type Choice = ReturnType<typeof useChoice<Creative>>;

/** Creatives by their pictures, with what each brought. */
export function CreativeCards({ page, file, figures, choice, onPage }: Props) {
  const t = useTexts(creativeTexts);
  const c = useTexts(common);
  const { chosen, onChoose } = choice;
  const isAll = page.items.every(({ id }) => chosen.has(id));
  return (
    <Stack>
      <label className={classes['all']}>
        <input
          type="checkbox"
          checked={isAll}
          onChange={() => onChoose(new Set(isAll ? [] : page.items.map(({ id }) => id)))}
        />
        {c.all}
      </label>
      <ul className={classes['grid']} aria-label={t.title}>
        {page.items.map((row) => (
          <li key={row.id} className={classes['card']} data-id={row.id}>
            <Card row={row} figures={figures} choice={choice} />
          </li>
        ))}
      </ul>
      <ListFoot {...{ page, file, onPage }} />
    </Stack>
  );
}

function Card({ row, figures, choice }: { row: Creative } & Pick<Props, 'figures' | 'choice'>) {
  const t = useTexts(creativeTexts);
  const c = useTexts(common);
  return (
    <>
      <Thumbnail creative={row} />
      <div className={classes['named']}>
        <input
          type="checkbox"
          aria-label={c.choose(choice.titleOf(row))}
          checked={choice.chosen.has(row.id)}
          onChange={() => choice.onChoose(toggled(row.id))}
        />
        <Anchor component={Link} to={`/advertiser/creatives/${row.id}`} size="sm" lineClamp={2}>
          {row.name}
        </Anchor>
      </div>
      <Text size="xs" c="dimmed">
        {wordOf(t.kinds, row.creative_type).split(':')[0]}
        {row.width === null ? '' : ` · ${row.width} × ${row.height}`}
      </Text>
      <Group gap={4}>
        {row.audit_status !== row.delivery_status && <State state={row.audit_status} />}
        <Delivery row={row} ids={{ creative: row.id }} />
      </Group>
      {figures.length > 0 && (
        <dl className={classes['figures']}>
          {figures.map(({ key, title, cell }) => (
            <div key={key}>
              <dt>{title(t)}</dt>
              <dd>{cell(row, t)}</dd>
            </div>
          ))}
        </dl>
      )}
      <RowActions level="creative" row={row} />
    </>
  );
}
