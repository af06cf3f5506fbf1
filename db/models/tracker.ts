import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8, nanos } from './columns.ts';

export class Tracker extends Model<InferAttributes<Tracker>, InferCreationAttributes<Tracker>> {
  declare id: CreationOptional<number>;
  declare advertiserId: number;
  declare name: string;
  declare type: CreationOptional<'PIXEL' | 'POSTBACK' | 'JS' | 'IMPORT'>;
  declare eventType: CreationOptional<string>;
  declare countMode: CreationOptional<'ONE' | 'EVERY'>;
  declare requireSig: CreationOptional<boolean>;
  declare conversionValueNanos: CreationOptional<bigint>;
  declare attributionWindow: CreationOptional<number>;
  declare postbackUrl: CreationOptional<string | null>;
  declare pixelCode: CreationOptional<string | null>;
  declare trackingCode: string;
  declare status: CreationOptional<'ACTIVE' | 'PAUSED' | 'ARCHIVED'>;
  declare version: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindTracker(sequelize: Sequelize): typeof Tracker {
  class BoundTracker extends Tracker {}
  BoundTracker.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      advertiserId: int8('advertiserId'),
      name: { type: DataTypes.TEXT, allowNull: false },
      type: DataTypes.TEXT,
      eventType: DataTypes.TEXT,
      countMode: DataTypes.TEXT,
      requireSig: DataTypes.BOOLEAN,
      conversionValueNanos: nanos('conversionValueNanos'),
      attributionWindow: DataTypes.INTEGER,
      postbackUrl: DataTypes.TEXT,
      pixelCode: DataTypes.TEXT,
      trackingCode: { type: DataTypes.TEXT, allowNull: false },
      status: DataTypes.TEXT,
      version: DataTypes.INTEGER,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
      updatedAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    { sequelize, modelName: 'Tracker', tableName: 'trackers', underscored: true, timestamps: true },
  );
  return BoundTracker;
}
