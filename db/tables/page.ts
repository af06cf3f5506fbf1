import { day, json, ref, text } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

/** What pages said of themselves when they asked for ads; the id is made of what was said (api/pages.ts). */
export const pages = table('pages', {
  id: ref(),
  host: text().orNull(),
  url: text().orNull(),
  title: text().orNull(),
  keywords: json<string[]>(),
  categories: json<string[]>(),
  tags: json<string[]>(),
  type: text().orNull(),
  lang: text().orNull(),
  seenOn: day(),
});
export type PageRow = Row<typeof pages>;
