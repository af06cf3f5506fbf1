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

export class Campaign extends Model<InferAttributes<Campaign>, InferCreationAttributes<Campaign>> {
  declare id: CreationOptional<number>;
  declare advertiserId: number;
  declare name: string;
  declare adType: string;
  declare campaignOptionId: CreationOptional<number | null>;
  declare bidNanos: bigint;
  declare pricingModel: CreationOptional<'CPC' | 'CPM' | 'CPA' | 'CPV' | 'CPS'>;
  declare type: CreationOptional<string>;
  declare objective: CreationOptional<string>;
  declare dailyBudgetNanos: CreationOptional<bigint | null>;
  declare totalBudgetNanos: CreationOptional<bigint | null>;
  declare startDate: CreationOptional<string | null>;
  declare endDate: CreationOptional<string | null>;
  declare landingUrl: CreationOptional<string | null>;
  declare trackerId: CreationOptional<number | null>;
  declare rotationMode: CreationOptional<'EVEN' | 'ASAP'>;
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
export function bindCampaign(sequelize: Sequelize): typeof Campaign {
  class BoundCampaign extends Campaign {}
  BoundCampaign.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      advertiserId: int8('advertiserId'),
      name: { type: DataTypes.TEXT, allowNull: false },
      adType: { type: DataTypes.TEXT, allowNull: false },
      campaignOptionId: int8('campaignOptionId'),
      bidNanos: nanos('bidNanos'),
      pricingModel: DataTypes.TEXT,
      type: DataTypes.TEXT,
      objective: DataTypes.TEXT,
      dailyBudgetNanos: nanos('dailyBudgetNanos'),
      totalBudgetNanos: nanos('totalBudgetNanos'),
      startDate: DataTypes.DATEONLY,
      endDate: DataTypes.DATEONLY,
      landingUrl: DataTypes.TEXT,
      trackerId: int8('trackerId'),
      rotationMode: DataTypes.TEXT,
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
      modelName: 'Campaign',
      tableName: 'campaigns',
      underscored: true,
      timestamps: true,
    },
  );
  return BoundCampaign;
}
