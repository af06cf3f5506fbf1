import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8 } from './columns.ts';

export class Account extends Model<InferAttributes<Account>, InferCreationAttributes<Account>> {
  declare id: CreationOptional<number>;
  declare kind: 'ADVERTISER' | 'PUBLISHER';
  declare username: string;
  declare email: string;
  declare passwordHash: string;
  declare nickname: CreationOptional<string | null>;
  declare role: CreationOptional<string>;
  declare status: CreationOptional<'ACTIVE' | 'SUSPENDED'>;
  declare mobile: CreationOptional<string | null>;
  declare companyName: CreationOptional<string | null>;
  declare contactName: CreationOptional<string | null>;
  declare industry: CreationOptional<string | null>;
  declare siteUrl: CreationOptional<string | null>;
  declare kycStatus: CreationOptional<'none' | 'pending' | 'approved' | 'rejected' | 'expired'>;
  declare tokenVersion: CreationOptional<number>;
  declare version: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindAccount(sequelize: Sequelize): typeof Account {
  class BoundAccount extends Account {}
  BoundAccount.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      kind: { type: DataTypes.TEXT, allowNull: false },
      username: { type: DataTypes.TEXT, allowNull: false },
      email: { type: DataTypes.TEXT, allowNull: false },
      passwordHash: { type: DataTypes.TEXT, allowNull: false },
      nickname: DataTypes.TEXT,
      role: DataTypes.TEXT,
      status: DataTypes.TEXT,
      mobile: DataTypes.TEXT,
      companyName: DataTypes.TEXT,
      contactName: DataTypes.TEXT,
      industry: DataTypes.TEXT,
      siteUrl: DataTypes.TEXT,
      kycStatus: DataTypes.TEXT,
      tokenVersion: DataTypes.INTEGER,
      version: DataTypes.INTEGER,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
      updatedAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    { sequelize, modelName: 'Account', tableName: 'accounts', underscored: true, timestamps: true },
  );
  return BoundAccount;
}
