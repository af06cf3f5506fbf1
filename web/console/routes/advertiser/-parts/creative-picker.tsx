import { Group, Pagination, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../../parts/dialog.tsx';
import type { Creative } from '../../../../client/routes.ts';
import { Failed } from '../../../parts/failed.tsx';
import { State } from '../../../parts/state.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { list } from '../../../queries/advertiser/creative.ts';
import { creativeTexts } from '../../../texts/advertiser/creative.ts';
import { Thumbnail } from './thumbnail.tsx';
import classes from './creatives.module.css';

const TYPING_MS = 300;

/** A creative of one's own, found by name. */
export function CreativePicker(props: {
  onPick: (creative: Creative) => void;
  onClose: () => void;
}) {
  const { onPick, onClose } = props;
  const t = useTexts(creativeTexts);
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const [keyword] = useDebouncedValue(text, TYPING_MS);
  const { data, error } = useQuery({
    ...list({ page, page_size: 12, ...(keyword === '' ? {} : { keyword }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <Dialog onClose={onClose} title={t.pick} size="xl">
      <Stack>
        <TextInput
          type="search"
          label={t.name}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setPage(1);
          }}
          data-autofocus
        />
        {error !== null && <Failed error={error} />}
        {data === undefined && error === null && <Skeleton height={160} />}
        {data?.items.length === 0 && <Text>{keyword === '' ? t.none : t.noneFound}</Text>}
        <div className={classes['grid']}>
          {data?.items.map((creative) => (
            <button
              key={creative.id}
              type="button"
              className={classes['pick']}
              onClick={() => onPick(creative)}
            >
              <Thumbnail creative={creative} />
              <Text size="sm" lineClamp={1}>
                {creative.name}
              </Text>
              <State state={creative.audit_status} />
            </button>
          ))}
        </div>
        {data !== undefined && data.total_pages > 1 && (
          <Group justify="center">
            <Pagination
              value={page}
              total={data.total_pages}
              onChange={setPage}
              size="sm"
              getControlProps={(control) => ({ 'aria-label': control })}
            />
          </Group>
        )}
      </Stack>
    </Dialog>
  );
}
