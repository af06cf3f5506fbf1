import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8, nanos } from './columns.ts';
import type { ReviewReason } from './json.ts';

export class Withdrawal extends Model<
  InferAttributes<Withdrawal>,
  InferCreationAttributes<Withdrawal>
> {
  declare id: CreationOptional<number>;
  declare publisherId: number;
  declare amountNanos: bigint;
  declare feeNanos: CreationOptional<bigint>;
  declare taxNanos: CreationOptional<bigint>;
  declare arrivalNanos: bigint;
  declare currency: CreationOptional<string>;
  declare channel: 'BANK' | 'USDT' | 'PAYPAL' | 'PAXUM';
  declare accountMasked: CreationOptional<string | null>;
  declare sealedAccount: CreationOptional<Buffer | null>;
  declare status: CreationOptional<
    | 'PENDING'
    | 'RISK_HOLD'
    | 'APPROVED'
    | 'PROCESSING'
    | 'UNKNOWN'
    | 'PAID'
    | 'FAILED'
    | 'RETURNED'
    | 'REJECTED'
    | 'CANCELLED'
  >;
  declare reasons: CreationOptional<ReviewReason[] | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindWithdrawal(sequelize: Sequelize): typeof Withdrawal {
  class BoundWithdrawal extends Withdrawal {}
  BoundWithdrawal.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      publisherId: int8('publisherId'),
      amountNanos: nanos('amountNanos'),
      feeNanos: nanos('feeNanos'),
      taxNanos: nanos('taxNanos'),
      arrivalNanos: nanos('arrivalNanos'),
      currency: DataTypes.TEXT,
      channel: { type: DataTypes.TEXT, allowNull: false },
      accountMasked: DataTypes.TEXT,
      sealedAccount: DataTypes.BLOB,
      status: DataTypes.TEXT,
      reasons: DataTypes.JSONB,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
      updatedAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'Withdrawal',
      tableName: 'withdrawals',
      underscored: true,
      timestamps: true,
    },
  );
  return BoundWithdrawal;
}
