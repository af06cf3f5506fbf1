import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8, nanos } from './columns.ts';

export class Deposit extends Model<InferAttributes<Deposit>, InferCreationAttributes<Deposit>> {
  declare id: CreationOptional<number>;
  declare advertiserId: number;
  declare amountNanos: bigint;
  declare currency: CreationOptional<string>;
  declare paymentMethod: 'BANK' | 'USDT' | 'ALIPAY' | 'WECHAT' | 'OFFLINE';
  declare reference: string;
  declare status: CreationOptional<
    'PENDING' | 'CONFIRMING' | 'REVIEW' | 'PAID' | 'CANCELLED' | 'EXPIRED' | 'REFUNDED' | 'FAILED'
  >;
  declare receivedNanos: CreationOptional<bigint>;
  declare expiresAt: Date;
  declare paidAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindDeposit(sequelize: Sequelize): typeof Deposit {
  class BoundDeposit extends Deposit {}
  BoundDeposit.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      advertiserId: int8('advertiserId'),
      amountNanos: nanos('amountNanos'),
      currency: DataTypes.TEXT,
      paymentMethod: { type: DataTypes.TEXT, allowNull: false },
      reference: { type: DataTypes.TEXT, allowNull: false },
      status: DataTypes.TEXT,
      receivedNanos: nanos('receivedNanos'),
      expiresAt: { type: DataTypes.DATE, allowNull: false },
      paidAt: DataTypes.DATE,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
      updatedAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    { sequelize, modelName: 'Deposit', tableName: 'deposits', underscored: true, timestamps: true },
  );
  return BoundDeposit;
}
