import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8, nanos } from './columns.ts';

export class LedgerTransfer extends Model<
  InferAttributes<LedgerTransfer>,
  InferCreationAttributes<LedgerTransfer>
> {
  declare id: CreationOptional<number>;
  declare batchId: number;
  declare currency: string;
  declare debitId: number;
  declare creditId: number;
  declare amountNanos: bigint;
  declare type: string;
  declare subjectType: CreationOptional<string | null>;
  declare subjectId: CreationOptional<number | null>;
  declare eventCount: CreationOptional<number>;
  declare debitBalanceAfterNanos: CreationOptional<bigint | null>;
  declare creditBalanceAfterNanos: CreationOptional<bigint | null>;
  declare createdAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindLedgerTransfer(sequelize: Sequelize): typeof LedgerTransfer {
  class BoundLedgerTransfer extends LedgerTransfer {}
  BoundLedgerTransfer.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      batchId: int8('batchId'),
      currency: { type: DataTypes.TEXT, allowNull: false },
      debitId: int8('debitId'),
      creditId: int8('creditId'),
      amountNanos: nanos('amountNanos'),
      type: { type: DataTypes.TEXT, allowNull: false },
      subjectType: DataTypes.TEXT,
      subjectId: int8('subjectId'),
      eventCount: DataTypes.INTEGER,
      debitBalanceAfterNanos: nanos('debitBalanceAfterNanos'),
      creditBalanceAfterNanos: nanos('creditBalanceAfterNanos'),
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'LedgerTransfer',
      tableName: 'ledger_transfers',
      underscored: true,
      timestamps: false,
    },
  );
  return BoundLedgerTransfer;
}
