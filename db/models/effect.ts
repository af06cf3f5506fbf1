import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import type { Json } from './json.ts';

export class Effect extends Model<InferAttributes<Effect>, InferCreationAttributes<Effect>> {
  declare key: string;
  declare result: CreationOptional<Json | null>;
  declare createdAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindEffect(sequelize: Sequelize): typeof Effect {
  class BoundEffect extends Effect {}
  BoundEffect.init(
    {
      key: { type: DataTypes.TEXT, primaryKey: true, allowNull: false },
      result: DataTypes.JSONB,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    { sequelize, modelName: 'Effect', tableName: 'effects', underscored: true, timestamps: false },
  );
  return BoundEffect;
}
