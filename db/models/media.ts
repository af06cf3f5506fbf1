import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8 } from './columns.ts';

export class Media extends Model<InferAttributes<Media>, InferCreationAttributes<Media>> {
  declare id: CreationOptional<number>;
  declare advertiserId: number;
  declare type: 'IMAGE' | 'VIDEO' | 'HTML5';
  declare name: CreationOptional<string | null>;
  declare mime: string;
  declare width: CreationOptional<number | null>;
  declare height: CreationOptional<number | null>;
  declare durationS: CreationOptional<string | null>;
  declare bytes: number;
  declare sha256: string;
  declare path: string;
  declare source: CreationOptional<'UPLOAD' | 'AI'>;
  declare status: CreationOptional<'ACTIVE' | 'ARCHIVED'>;
  declare createdAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindMedia(sequelize: Sequelize): typeof Media {
  class BoundMedia extends Media {}
  BoundMedia.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      advertiserId: int8('advertiserId'),
      type: { type: DataTypes.TEXT, allowNull: false },
      name: DataTypes.TEXT,
      mime: { type: DataTypes.TEXT, allowNull: false },
      width: DataTypes.INTEGER,
      height: DataTypes.INTEGER,
      durationS: DataTypes.DECIMAL,
      bytes: int8('bytes'),
      sha256: { type: DataTypes.TEXT, allowNull: false },
      path: { type: DataTypes.TEXT, allowNull: false },
      source: DataTypes.TEXT,
      status: DataTypes.TEXT,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    { sequelize, modelName: 'Media', tableName: 'media', underscored: true, timestamps: false },
  );
  return BoundMedia;
}
