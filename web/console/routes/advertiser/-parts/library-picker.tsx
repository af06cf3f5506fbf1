import { Group, Pagination, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Loading } from '../../../parts/loading.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Failed } from '../../../parts/failed.tsx';
import type { ListQuery } from '../../../parts/list-page.tsx';
import classes from './creatives.module.css';

const TYPING_MS = 300;

interface Props<Row> {
  title: string;
  /** What its name is called. */
  label: string;
  list: (asked: { page: number; page_size: number; keyword?: string }) => ListQuery<Row>;
  /** Nothing is there, or nothing is so called. */
  none: (isSearched: boolean) => string;
  /** What a button shows of one. */
  children: (row: Row) => ReactNode;
  onPick: (row: Row) => void;
  onClose: () => void;
}

/** One of one's own, found by its name and chosen by its picture. */
export function LibraryPicker<Row extends { id: number }>(props: Props<Row>) {
  const { title, label, list, none, children, onPick, onClose } = props;
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const [keyword] = useDebouncedValue(text, TYPING_MS);
  const { data, error } = useQuery({
    ...list({ page, page_size: 12, ...(keyword === '' ? {} : { keyword }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <Dialog onClose={onClose} title={title} size="xl">
      <Stack>
        <TextInput
          type="search"
          label={label}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setPage(1);
          }}
          data-autofocus
        />
        {error !== null && <Failed error={error} />}
        {data === undefined && error === null && <Loading height={160} />}
        {data?.items.length === 0 && <Text>{none(keyword !== '')}</Text>}
        <div className={classes['grid']}>
          {data?.items.map((row) => (
            <button
              key={row.id}
              type="button"
              className={classes['pick']}
              onClick={() => onPick(row)}
            >
              {children(row)}
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
