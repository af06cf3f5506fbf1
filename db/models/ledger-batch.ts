import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8 } from './columns.ts';
import type { Json } from './json.ts';

export class LedgerBatch extends Model<
  InferAttributes<LedgerBatch>,
  InferCreationAttributes<LedgerBatch>
> {
  declare id: CreationOptional<number>;
  declare idempotencyKey: string;
  declare kind: string;
  declare ref: CreationOptional<Json>;
  declare createdAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindLedgerBatch(sequelize: Sequelize): typeof LedgerBatch {
  class BoundLedgerBatch extends LedgerBatch {}
  BoundLedgerBatch.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      idempotencyKey: { type: DataTypes.TEXT, allowNull: false },
      kind: { type: DataTypes.TEXT, allowNull: false },
      ref: DataTypes.JSONB,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'LedgerBatch',
      tableName: 'ledger_batches',
      underscored: true,
      timestamps: false,
    },
  );
  return BoundLedgerBatch;
}
