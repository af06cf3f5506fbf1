import { archivableLifecycle } from '../../domain/lifecycle/archivable.ts';
import { ASSET_SOURCES, ASSET_TYPES } from '../../domain/inventory.ts';
import { decimal, id, json, ref, state, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';
import type { ReviewFinding } from './json.ts';

export const media = table('media', {
  id: id(),
  advertiserId: ref(),
  type: word(ASSET_TYPES),
  name: text().orNull(),
  mime: text(),
  width: whole().orNull(),
  height: whole().orNull(),
  durationS: decimal().orNull(),
  bytes: ref(),
  sha256: text().named('sha256'),
  path: text(),
  source: word(ASSET_SOURCES).byDefault(),
  status: state(archivableLifecycle).byDefault(),
  createdAt: time().byDefault(),
  findings: json<ReviewFinding[]>().byDefault(),
});
export type MediaRow = Row<typeof media>;
