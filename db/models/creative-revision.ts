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

export class CreativeRevision extends Model<
  InferAttributes<CreativeRevision>,
  InferCreationAttributes<CreativeRevision>
> {
  declare id: CreationOptional<number>;
  declare creativeId: number;
  declare revision: number;
  declare width: CreationOptional<number | null>;
  declare height: CreationOptional<number | null>;
  declare sizeId: CreationOptional<number | null>;
  declare imageMediaId: CreationOptional<number | null>;
  declare imageMediaId2: CreationOptional<number | null>;
  declare videoMediaId: CreationOptional<number | null>;
  declare iconMediaId: CreationOptional<number | null>;
  declare html5MediaId: CreationOptional<number | null>;
  declare htmlCode: CreationOptional<string | null>;
  declare vastXml: CreationOptional<string | null>;
  declare vastUrl: CreationOptional<string | null>;
  declare clickUrl: CreationOptional<string | null>;
  declare auditStatus: CreationOptional<'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED'>;
  declare auditReasons: CreationOptional<ReviewReason[] | null>;
  declare createdAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindCreativeRevision(sequelize: Sequelize): typeof CreativeRevision {
  class BoundCreativeRevision extends CreativeRevision {}
  BoundCreativeRevision.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      creativeId: int8('creativeId'),
      revision: { type: DataTypes.INTEGER, allowNull: false },
      width: DataTypes.INTEGER,
      height: DataTypes.INTEGER,
      sizeId: int8('sizeId'),
      imageMediaId: int8('imageMediaId'),
      imageMediaId2: int8('imageMediaId2', { field: 'image_media_id_2' }),
      videoMediaId: int8('videoMediaId'),
      iconMediaId: int8('iconMediaId'),
      html5MediaId: int8('html5MediaId', { field: 'html5_media_id' }),
      htmlCode: DataTypes.TEXT,
      vastXml: DataTypes.TEXT,
      vastUrl: DataTypes.TEXT,
      clickUrl: DataTypes.TEXT,
      auditStatus: DataTypes.TEXT,
      auditReasons: DataTypes.JSONB,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'CreativeRevision',
      tableName: 'creative_revisions',
      underscored: true,
      timestamps: false,
    },
  );
  return BoundCreativeRevision;
}
