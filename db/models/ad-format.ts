import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8 } from './columns.ts';

export class AdFormat extends Model<InferAttributes<AdFormat>, InferCreationAttributes<AdFormat>> {
  declare id: CreationOptional<number>;
  declare code: string;
  declare name: string;
  declare adType: string;
  declare width: CreationOptional<number | null>;
  declare height: CreationOptional<number | null>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindAdFormat(sequelize: Sequelize): typeof AdFormat {
  class BoundAdFormat extends AdFormat {}
  BoundAdFormat.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      code: { type: DataTypes.TEXT, allowNull: false },
      name: { type: DataTypes.TEXT, allowNull: false },
      adType: { type: DataTypes.TEXT, allowNull: false },
      width: DataTypes.INTEGER,
      height: DataTypes.INTEGER,
    },
    {
      sequelize,
      modelName: 'AdFormat',
      tableName: 'ad_formats',
      underscored: true,
      timestamps: false,
    },
  );
  return BoundAdFormat;
}
