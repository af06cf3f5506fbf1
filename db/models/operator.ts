import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8 } from './columns.ts';

export class Operator extends Model<InferAttributes<Operator>, InferCreationAttributes<Operator>> {
  declare id: CreationOptional<number>;
  declare username: string;
  declare email: string;
  declare passwordHash: string;
  declare nickname: CreationOptional<string | null>;
  declare role: 'ADMIN' | 'REVIEWER' | 'FINANCE' | 'SUPPORT';
  declare status: CreationOptional<'ACTIVE' | 'SUSPENDED'>;
  declare tokenVersion: CreationOptional<number>;
  declare version: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindOperator(sequelize: Sequelize): typeof Operator {
  class BoundOperator extends Operator {}
  BoundOperator.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      username: { type: DataTypes.TEXT, allowNull: false },
      email: { type: DataTypes.TEXT, allowNull: false },
      passwordHash: { type: DataTypes.TEXT, allowNull: false },
      nickname: DataTypes.TEXT,
      role: { type: DataTypes.TEXT, allowNull: false },
      status: DataTypes.TEXT,
      tokenVersion: DataTypes.INTEGER,
      version: DataTypes.INTEGER,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
      updatedAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'Operator',
      tableName: 'operators',
      underscored: true,
      timestamps: true,
    },
  );
  return BoundOperator;
}
