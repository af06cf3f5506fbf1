import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8, nanos } from './columns.ts';

export class Conversion extends Model<
  InferAttributes<Conversion>,
  InferCreationAttributes<Conversion>
> {
  declare id: CreationOptional<number>;
  declare trackerId: CreationOptional<number | null>;
  declare advertiserId: CreationOptional<number | null>;
  declare campaignId: CreationOptional<number | null>;
  declare adgroupId: CreationOptional<number | null>;
  declare adId: CreationOptional<number | null>;
  declare creativeId: CreationOptional<number | null>;
  declare zoneId: CreationOptional<number | null>;
  declare clickId: CreationOptional<string | null>;
  declare dedupeKey: string;
  declare eventType: string;
  declare valueNanos: CreationOptional<bigint>;
  declare currency: CreationOptional<string>;
  declare status: 'ACCEPTED' | 'UNATTRIBUTED' | 'EXPIRED' | 'BILLED' | 'UNBILLED';
  declare reason: CreationOptional<string | null>;
  declare latencySeconds: CreationOptional<number | null>;
  declare clickedAt: CreationOptional<Date | null>;
  declare source: CreationOptional<string>;
  declare createdAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindConversion(sequelize: Sequelize): typeof Conversion {
  class BoundConversion extends Conversion {}
  BoundConversion.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      trackerId: int8('trackerId'),
      advertiserId: int8('advertiserId'),
      campaignId: int8('campaignId'),
      adgroupId: int8('adgroupId'),
      adId: int8('adId'),
      creativeId: int8('creativeId'),
      zoneId: int8('zoneId'),
      clickId: DataTypes.TEXT,
      dedupeKey: { type: DataTypes.TEXT, allowNull: false },
      eventType: { type: DataTypes.TEXT, allowNull: false },
      valueNanos: nanos('valueNanos'),
      currency: DataTypes.TEXT,
      status: { type: DataTypes.TEXT, allowNull: false },
      reason: DataTypes.TEXT,
      latencySeconds: DataTypes.INTEGER,
      clickedAt: DataTypes.DATE,
      source: DataTypes.TEXT,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'Conversion',
      tableName: 'conversions',
      underscored: true,
      timestamps: false,
    },
  );
  return BoundConversion;
}
