import { DataTypes, type Model, type ModelAttributeColumnOptions } from 'sequelize';

type ColumnOptions = Partial<ModelAttributeColumnOptions>;

/** BIGINT arrives from the driver as text; ids stay below 2^53 and read as numbers. */
export function int8(name: string, options: ColumnOptions = {}): ModelAttributeColumnOptions {
  return {
    type: DataTypes.BIGINT,
    ...options,
    get(this: Model) {
      const raw = this.getDataValue(name as never) as string | number | null | undefined;
      return raw === null || raw === undefined ? raw : Number(raw);
    },
  };
}

/** Money: integer nanos of the platform currency, a bigint in code and BIGINT in the database. */
export function nanos(name: string, options: ColumnOptions = {}): ModelAttributeColumnOptions {
  return {
    type: DataTypes.BIGINT,
    ...options,
    get(this: Model) {
      const raw = this.getDataValue(name as never) as string | bigint | null | undefined;
      return raw === null || raw === undefined ? raw : BigInt(raw);
    },
  };
}
