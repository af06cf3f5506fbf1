import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8 } from './columns.ts';
import type { Json } from './json.ts';

export class Setting extends Model<InferAttributes<Setting>, InferCreationAttributes<Setting>> {
  declare key: string;
  declare value: Json;
  declare updatedBy: CreationOptional<number | null>;
  declare updatedAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindSetting(sequelize: Sequelize): typeof Setting {
  class BoundSetting extends Setting {}
  BoundSetting.init(
    {
      key: { type: DataTypes.TEXT, primaryKey: true, allowNull: false },
      value: { type: DataTypes.JSONB, allowNull: false },
      updatedBy: int8('updatedBy'),
      updatedAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'Setting',
      tableName: 'settings',
      underscored: true,
      timestamps: false,
    },
  );
  return BoundSetting;
}
