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

export class Site extends Model<InferAttributes<Site>, InferCreationAttributes<Site>> {
  declare id: CreationOptional<number>;
  declare publisherId: number;
  declare name: string;
  declare mediaType: CreationOptional<'WEB' | 'APP' | 'MINI_PROGRAM'>;
  declare domain: CreationOptional<string | null>;
  declare appPackage: CreationOptional<string | null>;
  declare url: CreationOptional<string | null>;
  declare description: CreationOptional<string | null>;
  declare industryId: CreationOptional<number | null>;
  declare icp: CreationOptional<string | null>;
  declare verifyToken: string;
  declare verifyStatus: CreationOptional<'UNVERIFIED' | 'VERIFIED' | 'LAPSED'>;
  declare verifyMethod: CreationOptional<string | null>;
  declare verifiedAt: CreationOptional<Date | null>;
  declare verifyRound: CreationOptional<number>;
  declare status: CreationOptional<'ACTIVE' | 'PAUSED' | 'ARCHIVED'>;
  declare auditStatus: CreationOptional<
    'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED'
  >;
  declare auditReasons: CreationOptional<ReviewReason[] | null>;
  declare auditRound: CreationOptional<number>;
  declare version: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindSite(sequelize: Sequelize): typeof Site {
  class BoundSite extends Site {}
  BoundSite.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      publisherId: int8('publisherId'),
      name: { type: DataTypes.TEXT, allowNull: false },
      mediaType: DataTypes.TEXT,
      domain: DataTypes.TEXT,
      appPackage: DataTypes.TEXT,
      url: DataTypes.TEXT,
      description: DataTypes.TEXT,
      industryId: int8('industryId'),
      icp: DataTypes.TEXT,
      verifyToken: { type: DataTypes.TEXT, allowNull: false },
      verifyStatus: DataTypes.TEXT,
      verifyMethod: DataTypes.TEXT,
      verifiedAt: DataTypes.DATE,
      verifyRound: DataTypes.INTEGER,
      status: DataTypes.TEXT,
      auditStatus: DataTypes.TEXT,
      auditReasons: DataTypes.JSONB,
      auditRound: DataTypes.INTEGER,
      version: DataTypes.INTEGER,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
      updatedAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    { sequelize, modelName: 'Site', tableName: 'sites', underscored: true, timestamps: true },
  );
  return BoundSite;
}
