import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8 } from './columns.ts';

export class ApprovedHost extends Model<
  InferAttributes<ApprovedHost>,
  InferCreationAttributes<ApprovedHost>
> {
  declare advertiserId: number;
  declare host: string;
  declare createdAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindApprovedHost(sequelize: Sequelize): typeof ApprovedHost {
  class BoundApprovedHost extends ApprovedHost {}
  BoundApprovedHost.init(
    {
      advertiserId: int8('advertiserId', { primaryKey: true }),
      host: { type: DataTypes.TEXT, primaryKey: true, allowNull: false },
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'ApprovedHost',
      tableName: 'approved_hosts',
      underscored: true,
      timestamps: false,
    },
  );
  return BoundApprovedHost;
}
