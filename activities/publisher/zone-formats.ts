import type { Transaction } from 'sequelize';
import type { FieldError } from '../../domain/errors.ts';
import type { ActivityDeps } from '../deps.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import type { ZoneType } from '../../domain/zone-settings.ts';

type AdFormat = RecordOf<'adFormats'>;

/** What an owner says of a zone's type and size; undefined is unsaid. */
export interface FormatFields {
  type?: ZoneType | undefined;
  adFormatId?: number | null | undefined;
  zoneTypeId?: number | null | undefined;
  sizeId?: number | null | undefined;
  width?: number | undefined;
  height?: number | undefined;
}

export interface NamedFormats {
  /** What the zone gets where its owner named a format and not the thing itself. */
  fields: { type?: ZoneType; width?: number; height?: number };
  faults: FieldError[];
}

/**
 * Rows of the ad-format table that a zone names (interface 2.9): `zone_type_id` brings its type,
 * `size_id` its size, `ad_format_id` both. What is said outright counts first; a type that
 * contradicts a named format is a fault, a size is not (a format's size is where one begins).
 */
export async function namedFormats(
  deps: ActivityDeps,
  tx: Transaction,
  said: FormatFields,
): Promise<NamedFormats> {
  const named = [
    { field: 'ad_format_id', id: said.adFormatId, brings: ['type', 'size'] },
    { field: 'zone_type_id', id: said.zoneTypeId, brings: ['type'] },
    { field: 'size_id', id: said.sizeId, brings: ['size'] },
  ].filter(({ id }) => id !== undefined && id !== null);
  if (named.length === 0) return { fields: {}, faults: [] };
  const rows = await deps.db.models.adFormats.findAll({
    where: { id: named.map(({ id }) => Number(id)) },
    transaction: tx,
  });
  const found = new Map(rows.map((row) => [row.id, row]));
  const faults: FieldError[] = [];
  let type = said.type;
  let size: AdFormat | undefined;
  for (const { field, id, brings } of named) {
    const format = found.get(Number(id));
    if (format === undefined) {
      faults.push({ field, code: 'unknown', message: 'There is no such format.' });
      continue;
    }
    if (brings.includes('type')) {
      type ??= format.adType;
      if (type !== format.adType) {
        const message = `This format is for ${format.adType}, the zone is ${type}.`;
        faults.push({ field, code: 'mismatch', message });
      }
    }
    const isSized = format.width !== null && format.height !== null;
    if (field === 'size_id' && !isSized) {
      faults.push({ field, code: 'mismatch', message: `${format.name} has no size of its own.` });
    }
    // The last one named is `size_id`, which says nothing but a size.
    if (brings.includes('size') && isSized) size = format;
  }
  return {
    fields: {
      ...(type === undefined ? {} : { type }),
      ...sizeOf(said, size),
    },
    faults,
  };
}

function sizeOf(
  said: FormatFields,
  format: AdFormat | undefined,
): { width?: number; height?: number } {
  const width = said.width ?? format?.width ?? undefined;
  const height = said.height ?? format?.height ?? undefined;
  return {
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
  };
}
