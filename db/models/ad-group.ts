import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8, nanos } from './columns.ts';
import type { BidAdjustments, FrequencyCap, ReviewReason } from './json.ts';

export class AdGroup extends Model<InferAttributes<AdGroup>, InferCreationAttributes<AdGroup>> {
  declare id: CreationOptional<number>;
  declare advertiserId: number;
  declare campaignId: number;
  declare name: string;
  declare bidNanos: CreationOptional<bigint | null>;
  declare dailyBudgetNanos: CreationOptional<bigint | null>;
  declare startDate: CreationOptional<string | null>;
  declare endDate: CreationOptional<string | null>;
  declare targetCountries: CreationOptional<string[] | null>;
  declare targetDevices: CreationOptional<string[] | null>;
  declare targetOs: CreationOptional<string[] | null>;
  declare targetBrowsers: CreationOptional<string[] | null>;
  declare targetHours: CreationOptional<number[] | null>;
  declare weekdays: CreationOptional<number[] | null>;
  declare bidAdjustments: CreationOptional<BidAdjustments | null>;
  declare frequencyCap: CreationOptional<FrequencyCap | null>;
  declare status: CreationOptional<'ACTIVE' | 'PAUSED' | 'ARCHIVED'>;
  declare auditStatus: CreationOptional<'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED'>;
  declare auditReasons: CreationOptional<ReviewReason[] | null>;
  declare auditRound: CreationOptional<number>;
  declare version: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindAdGroup(sequelize: Sequelize): typeof AdGroup {
  class BoundAdGroup extends AdGroup {}
  BoundAdGroup.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      advertiserId: int8('advertiserId'),
      campaignId: int8('campaignId'),
      name: { type: DataTypes.TEXT, allowNull: false },
      bidNanos: nanos('bidNanos'),
      dailyBudgetNanos: nanos('dailyBudgetNanos'),
      startDate: DataTypes.DATEONLY,
      endDate: DataTypes.DATEONLY,
      targetCountries: DataTypes.JSONB,
      targetDevices: DataTypes.JSONB,
      targetOs: DataTypes.JSONB,
      targetBrowsers: DataTypes.JSONB,
      targetHours: DataTypes.JSONB,
      weekdays: DataTypes.JSONB,
      bidAdjustments: DataTypes.JSONB,
      frequencyCap: DataTypes.JSONB,
      status: DataTypes.TEXT,
      auditStatus: DataTypes.TEXT,
      auditReasons: DataTypes.JSONB,
      auditRound: DataTypes.INTEGER,
      version: DataTypes.INTEGER,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
      updatedAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'AdGroup',
      tableName: 'ad_groups',
      underscored: true,
      timestamps: true,
    },
  );
  return BoundAdGroup;
}
