import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8, nanos } from './columns.ts';

export class LedgerAccount extends Model<
  InferAttributes<LedgerAccount>,
  InferCreationAttributes<LedgerAccount>
> {
  declare id: CreationOptional<number>;
  declare code: string;
  declare currency: string;
  declare ownerType: CreationOptional<string | null>;
  declare ownerId: CreationOptional<number | null>;
  declare floorNanos: CreationOptional<bigint | null>;
  declare balanceNanos: CreationOptional<bigint>;
  declare createdAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindLedgerAccount(sequelize: Sequelize): typeof LedgerAccount {
  class BoundLedgerAccount extends LedgerAccount {}
  BoundLedgerAccount.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      code: { type: DataTypes.TEXT, allowNull: false },
      currency: { type: DataTypes.TEXT, allowNull: false },
      ownerType: DataTypes.TEXT,
      ownerId: int8('ownerId'),
      floorNanos: nanos('floorNanos'),
      balanceNanos: nanos('balanceNanos'),
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'LedgerAccount',
      tableName: 'ledger_accounts',
      underscored: true,
      timestamps: false,
    },
  );
  return BoundLedgerAccount;
}
