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

export class Creative extends Model<InferAttributes<Creative>, InferCreationAttributes<Creative>> {
  declare id: CreationOptional<number>;
  declare advertiserId: number;
  declare name: string;
  declare creativeType: CreationOptional<
    'image' | 'native' | 'text' | 'html' | 'html5' | 'rich_media' | 'video' | 'vast'
  >;
  declare type: CreationOptional<'IMAGE' | 'NATIVE' | 'TEXT' | 'HTML' | 'RICH_MEDIA' | 'VIDEO'>;
  declare latestRevision: CreationOptional<number>;
  declare approvedRevision: CreationOptional<number | null>;
  declare status: CreationOptional<'ACTIVE' | 'PAUSED' | 'ARCHIVED'>;
  declare auditStatus: CreationOptional<'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED'>;
  declare auditReasons: CreationOptional<ReviewReason[] | null>;
  declare auditRound: CreationOptional<number>;
  declare version: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindCreative(sequelize: Sequelize): typeof Creative {
  class BoundCreative extends Creative {}
  BoundCreative.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      advertiserId: int8('advertiserId'),
      name: { type: DataTypes.TEXT, allowNull: false },
      creativeType: DataTypes.TEXT,
      type: DataTypes.TEXT,
      latestRevision: DataTypes.INTEGER,
      approvedRevision: DataTypes.INTEGER,
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
      modelName: 'Creative',
      tableName: 'creatives',
      underscored: true,
      timestamps: true,
    },
  );
  return BoundCreative;
}
