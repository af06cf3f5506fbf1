import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8, nanos } from './columns.ts';
import type { Json, ReviewReason } from './json.ts';

export class Zone extends Model<InferAttributes<Zone>, InferCreationAttributes<Zone>> {
  declare id: CreationOptional<number>;
  declare publisherId: number;
  declare siteId: number;
  declare name: string;
  declare zoneKey: string;
  declare type: CreationOptional<string>;
  declare adFormatId: CreationOptional<number | null>;
  declare zoneTypeId: CreationOptional<number | null>;
  declare sizeId: CreationOptional<number | null>;
  declare width: CreationOptional<number>;
  declare height: CreationOptional<number>;
  declare position: CreationOptional<string>;
  declare device: CreationOptional<string>;
  declare pricingTypes: CreationOptional<string>;
  declare floorPriceCpcNanos: CreationOptional<bigint>;
  declare floorPriceCpmNanos: CreationOptional<bigint>;
  declare refresh: CreationOptional<number>;
  declare settings: CreationOptional<Json>;
  declare rewardCallbackUrl: CreationOptional<string | null>;
  declare status: CreationOptional<'ACTIVE' | 'PAUSED' | 'ARCHIVED'>;
  declare auditStatus: CreationOptional<'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED'>;
  declare auditReasons: CreationOptional<ReviewReason[] | null>;
  declare auditRound: CreationOptional<number>;
  declare version: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindZone(sequelize: Sequelize): typeof Zone {
  class BoundZone extends Zone {}
  BoundZone.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      publisherId: int8('publisherId'),
      siteId: int8('siteId'),
      name: { type: DataTypes.TEXT, allowNull: false },
      zoneKey: { type: DataTypes.TEXT, allowNull: false },
      type: DataTypes.TEXT,
      adFormatId: int8('adFormatId'),
      zoneTypeId: int8('zoneTypeId'),
      sizeId: int8('sizeId'),
      width: DataTypes.INTEGER,
      height: DataTypes.INTEGER,
      position: DataTypes.TEXT,
      device: DataTypes.TEXT,
      pricingTypes: DataTypes.TEXT,
      floorPriceCpcNanos: nanos('floorPriceCpcNanos'),
      floorPriceCpmNanos: nanos('floorPriceCpmNanos'),
      refresh: DataTypes.INTEGER,
      settings: DataTypes.JSONB,
      rewardCallbackUrl: DataTypes.TEXT,
      status: DataTypes.TEXT,
      auditStatus: DataTypes.TEXT,
      auditReasons: DataTypes.JSONB,
      auditRound: DataTypes.INTEGER,
      version: DataTypes.INTEGER,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
      updatedAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    { sequelize, modelName: 'Zone', tableName: 'zones', underscored: true, timestamps: true },
  );
  return BoundZone;
}
