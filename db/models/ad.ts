import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8 } from './columns.ts';
import type { ReviewReason } from './json.ts';

export class Ad extends Model<InferAttributes<Ad>, InferCreationAttributes<Ad>> {
  declare id: CreationOptional<number>;
  declare advertiserId: number;
  declare campaignId: number;
  declare adgroupId: number;
  declare creativeId: number;
  declare name: string;
  declare landingUrl: CreationOptional<string | null>;
  declare title: CreationOptional<string | null>;
  declare description: CreationOptional<string | null>;
  declare buttonText: CreationOptional<string | null>;
  declare brandName: CreationOptional<string | null>;
  declare displayUrl: CreationOptional<string | null>;
  declare weight: CreationOptional<number>;
  declare status: CreationOptional<'ACTIVE' | 'PAUSED' | 'ARCHIVED'>;
  declare auditStatus: CreationOptional<'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED'>;
  declare auditReasons: CreationOptional<ReviewReason[] | null>;
  declare auditRound: CreationOptional<number>;
  declare version: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindAd(sequelize: Sequelize): typeof Ad {
  class BoundAd extends Ad {}
  BoundAd.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      advertiserId: int8('advertiserId'),
      campaignId: int8('campaignId'),
      adgroupId: int8('adgroupId'),
      creativeId: int8('creativeId'),
      name: { type: DataTypes.TEXT, allowNull: false },
      landingUrl: DataTypes.TEXT,
      title: DataTypes.TEXT,
      description: DataTypes.TEXT,
      buttonText: DataTypes.TEXT,
      brandName: DataTypes.TEXT,
      displayUrl: DataTypes.TEXT,
      weight: DataTypes.INTEGER,
      status: DataTypes.TEXT,
      auditStatus: DataTypes.TEXT,
      auditReasons: DataTypes.JSONB,
      auditRound: DataTypes.INTEGER,
      version: DataTypes.INTEGER,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
      updatedAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    { sequelize, modelName: 'Ad', tableName: 'ads', underscored: true, timestamps: true },
  );
  return BoundAd;
}
