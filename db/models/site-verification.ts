import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8 } from './columns.ts';

export class SiteVerification extends Model<
  InferAttributes<SiteVerification>,
  InferCreationAttributes<SiteVerification>
> {
  declare id: CreationOptional<number>;
  declare siteId: number;
  declare round: number;
  declare method: 'META' | 'FILE' | 'DNS' | 'ADS_TXT';
  declare status: CreationOptional<'RUNNING' | 'VERIFIED' | 'FAILED' | 'VOID'>;
  declare attempts: CreationOptional<number>;
  declare lastOutcome: CreationOptional<string | null>;
  declare createdAt: CreationOptional<Date>;
  declare finishedAt: CreationOptional<Date | null>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindSiteVerification(sequelize: Sequelize): typeof SiteVerification {
  class BoundSiteVerification extends SiteVerification {}
  BoundSiteVerification.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      siteId: int8('siteId'),
      round: { type: DataTypes.INTEGER, allowNull: false },
      method: { type: DataTypes.TEXT, allowNull: false },
      status: DataTypes.TEXT,
      attempts: DataTypes.INTEGER,
      lastOutcome: DataTypes.TEXT,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
      finishedAt: DataTypes.DATE,
    },
    {
      sequelize,
      modelName: 'SiteVerification',
      tableName: 'site_verifications',
      underscored: true,
      timestamps: false,
    },
  );
  return BoundSiteVerification;
}
