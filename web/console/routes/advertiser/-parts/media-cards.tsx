import { Group, Stack, Text } from '@mantine/core';
import { useWrite } from '../../../api.ts';
import { RowAction } from '../../../parts/action.tsx';
import type { PageOf } from '../../../parts/list-page.tsx';
import { Pager } from '../../../parts/pager.tsx';
import { RowLink } from '../../../parts/row-link.tsx';
import { useMarks, useTexts } from '../../../parts/texts.ts';
import { When } from '../../../parts/time.tsx';
import { type Asset, remove } from '../../../queries/advertiser/media.ts';
import { mediaTexts } from '../../../texts/advertiser/media.ts';
import { common } from '../../../texts/common.ts';
import { AssetFacts, AssetThumbnail } from './asset-shown.tsx';
import classes from './creatives.module.css';

/** Files by their pictures, with the creatives that show them. */
export function MediaCards(props: { page: PageOf<Asset>; onPage: (page: number) => void }) {
  const { page, onPage } = props;
  const t = useTexts(mediaTexts);
  const c = useTexts(common);
  return (
    <Stack>
      <ul className={classes['grid']} aria-label={t.title}>
        {page.items.map((asset) => (
          <li key={asset.id} className={classes['card']} data-id={asset.id}>
            <Card asset={asset} />
          </li>
        ))}
      </ul>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" data-total={page.total}>
          {c.rows(page.total)}
        </Text>
        {page.total_pages > 1 && (
          <Pager page={page.page} total={page.total_pages} onPage={onPage} />
        )}
      </Group>
    </Stack>
  );
}

function Card({ asset }: { asset: Asset }) {
  const t = useTexts(mediaTexts);
  const marks = useMarks();
  const { mutateAsync } = useWrite(remove);
  const { id, shown_by: creatives } = asset;
  const name = asset.name ?? `#${id}`;
  const names = creatives.map((creative) => creative.name);
  return (
    <>
      <AssetThumbnail asset={asset} />
      <Text size="sm" lineClamp={2} className={classes['name']}>
        {name}
      </Text>
      <AssetFacts asset={asset} />
      <Text size="xs" c="dimmed">
        {t.sources[asset.source]} <When at={asset.created_at} />
      </Text>
      <Text size="xs" component="div">
        {creatives.length === 0 ? (
          t.unused
        ) : (
          <>
            {t.shownBy}
            {marks.colon}
            {creatives.map((creative, at) => (
              <span key={creative.id}>
                {at > 0 && marks.comma}
                <RowLink to={`/advertiser/creatives/${creative.id}`}>{creative.name}</RowLink>
              </span>
            ))}
          </>
        )}
      </Text>
      <div className="row-actions">
        <RowAction
          action={{
            label: t.remove,
            route: remove.route,
            refusal: names.length === 0 ? null : t.inUse(names),
            confirm: { title: t.removeTitle(name), body: t.removeBody },
            run: async () => await mutateAsync({ path: { id } }),
            done: t.removed,
            danger: true,
          }}
        />
      </div>
    </>
  );
}
