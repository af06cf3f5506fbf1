import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8, nanos } from './columns.ts';

export class Click extends Model<InferAttributes<Click>, InferCreationAttributes<Click>> {
  declare id: string;
  declare clickId: string;
  declare shard: number;
  declare status: CreationOptional<'verify_pending' | 'verified' | 'valid' | 'invalid' | 'expired'>;
  declare reason: CreationOptional<string | null>;
  declare verifyBy: Date;
  declare clickedAt: Date;
  declare verifiedAt: CreationOptional<Date | null>;
  declare requestId: string;
  declare bidId: string;
  declare advertiserId: number;
  declare campaignId: number;
  declare adgroupId: number;
  declare adId: number;
  declare creativeId: number;
  declare zoneId: number;
  declare bidPriceNanos: bigint;
  declare pricingModel: string;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindClick(sequelize: Sequelize): typeof Click {
  class BoundClick extends Click {}
  BoundClick.init(
    {
      id: { type: DataTypes.UUID, primaryKey: true, allowNull: false },
      clickId: { type: DataTypes.TEXT, allowNull: false },
      shard: { type: DataTypes.INTEGER, allowNull: false },
      status: DataTypes.TEXT,
      reason: DataTypes.TEXT,
      verifyBy: { type: DataTypes.DATE, allowNull: false },
      clickedAt: { type: DataTypes.DATE, allowNull: false },
      verifiedAt: DataTypes.DATE,
      requestId: { type: DataTypes.TEXT, allowNull: false },
      bidId: { type: DataTypes.TEXT, allowNull: false },
      advertiserId: int8('advertiserId'),
      campaignId: int8('campaignId'),
      adgroupId: int8('adgroupId'),
      adId: int8('adId'),
      creativeId: int8('creativeId'),
      zoneId: int8('zoneId'),
      bidPriceNanos: nanos('bidPriceNanos'),
      pricingModel: { type: DataTypes.TEXT, allowNull: false },
    },
    { sequelize, modelName: 'Click', tableName: 'clicks', underscored: true, timestamps: false },
  );
  return BoundClick;
}
