import * as yup from 'yup';
import { idOrNullOf, pageOfItems } from './response-shapes.ts';
import { id } from './fields.ts';

const PAGE_SIZE_DEFAULT = 20;
const PAGE_SIZE_MAX = 100;
const PAGE_MAX = 10_000;

/** Mix into a list's query schema: `yup.object({ ...pageFields, keyword })`. */
export const pageFields = {
  page: yup.number().integer().min(1).max(PAGE_MAX).default(1),
  page_size: yup.number().integer().min(1).default(PAGE_SIZE_DEFAULT),
};

/** A list's own orders, each up and (with `-`) down; absent is newest first. */
export const sortField = (words: readonly string[]) => ({ sort: yup.string().oneOf([...words]) });

export interface Page {
  page: number;
  pageSize: number;
  limit: number;
  offset: number;
}

/** Page size is clamped to 100 and echoed (interface 2.1). */
export function pageOf(query: { page: number; page_size: number }): Page {
  const pageSize = Math.min(query.page_size, PAGE_SIZE_MAX);
  return { page: query.page, pageSize, limit: pageSize, offset: (query.page - 1) * pageSize };
}

export function presentPage<Item>(items: Item[], total: number, page: Page) {
  return {
    items,
    total,
    page: page.page,
    page_size: page.pageSize,
    total_pages: Math.ceil(total / page.pageSize),
  };
}

/** A keyword for LIKE: its wildcards stand for themselves. */
export function likePattern(keyword: string): string {
  return `%${keyword.replace(/[\\%_]/g, (char) => `\\${char}`)}%`;
}

/**
 * For lists that grow while they are read: `cursor` is the `next_cursor` of the page before, so what
 * came meanwhile does not shift the next one.
 */
export const cursorFields = { ...pageFields, cursor: id() };

/** A page of things with ids, newest first; `next_cursor` is null on the last one. */
export const cursorPageOf = <Value>(item: yup.ISchema<Value>) =>
  pageOfItems(item).shape({ next_cursor: idOrNullOf() });

/** A cursor says by itself where to begin: pages before it are not skipped once more. */
export const windowOf = (page: Page, cursor: number | undefined) => ({
  limit: page.limit,
  offset: cursor === undefined ? page.offset : 0,
});

export function presentCursorPage<Item extends { id: number }>(
  items: Item[],
  total: number,
  page: Page,
) {
  const last = items.length < page.limit ? undefined : items.at(-1);
  return { ...presentPage(items, total, page), next_cursor: last?.id ?? null };
}
