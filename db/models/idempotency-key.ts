import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import type { Json } from './json.ts';

export class IdempotencyKey extends Model<
  InferAttributes<IdempotencyKey>,
  InferCreationAttributes<IdempotencyKey>
> {
  declare scope: string;
  declare key: string;
  declare requestHash: string;
  declare status: CreationOptional<number | null>;
  declare response: CreationOptional<Json | null>;
  declare createdAt: CreationOptional<Date>;
  declare firstAt: CreationOptional<Date>;
  declare released: CreationOptional<boolean>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindIdempotencyKey(sequelize: Sequelize): typeof IdempotencyKey {
  class BoundIdempotencyKey extends IdempotencyKey {}
  BoundIdempotencyKey.init(
    {
      scope: { type: DataTypes.TEXT, primaryKey: true, allowNull: false },
      key: { type: DataTypes.TEXT, primaryKey: true, allowNull: false },
      requestHash: { type: DataTypes.TEXT, allowNull: false },
      status: DataTypes.INTEGER,
      response: DataTypes.JSONB,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
      firstAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
      released: { type: DataTypes.BOOLEAN, defaultValue: false },
    },
    {
      sequelize,
      modelName: 'IdempotencyKey',
      tableName: 'idempotency_keys',
      underscored: true,
      timestamps: false,
    },
  );
  return BoundIdempotencyKey;
}
