import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8, nanos } from './columns.ts';

export class DepositReceipt extends Model<
  InferAttributes<DepositReceipt>,
  InferCreationAttributes<DepositReceipt>
> {
  declare id: CreationOptional<number>;
  declare depositId: number;
  declare amountNanos: bigint;
  declare currency: CreationOptional<string>;
  declare provider: string;
  declare providerReference: string;
  declare receivedAt: Date;
  declare evidenceMediaId: CreationOptional<number | null>;
  declare operatorId: CreationOptional<number | null>;
  declare state: CreationOptional<'SUSPENSE' | 'CREDITED' | 'REFUNDED'>;
  declare createdAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindDepositReceipt(sequelize: Sequelize): typeof DepositReceipt {
  class BoundDepositReceipt extends DepositReceipt {}
  BoundDepositReceipt.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      depositId: int8('depositId'),
      amountNanos: nanos('amountNanos'),
      currency: DataTypes.TEXT,
      provider: { type: DataTypes.TEXT, allowNull: false },
      providerReference: { type: DataTypes.TEXT, allowNull: false },
      receivedAt: { type: DataTypes.DATE, allowNull: false },
      evidenceMediaId: int8('evidenceMediaId'),
      operatorId: int8('operatorId'),
      state: DataTypes.TEXT,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'DepositReceipt',
      tableName: 'deposit_receipts',
      underscored: true,
      timestamps: false,
    },
  );
  return BoundDepositReceipt;
}
