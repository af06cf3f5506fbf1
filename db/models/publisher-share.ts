import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8 } from './columns.ts';

export class PublisherShare extends Model<
  InferAttributes<PublisherShare>,
  InferCreationAttributes<PublisherShare>
> {
  declare id: CreationOptional<number>;
  declare publisherId: CreationOptional<number | null>;
  declare sharePpm: number;
  declare effectiveFrom: Date;
  declare createdAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindPublisherShare(sequelize: Sequelize): typeof PublisherShare {
  class BoundPublisherShare extends PublisherShare {}
  BoundPublisherShare.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      publisherId: int8('publisherId'),
      sharePpm: { type: DataTypes.INTEGER, allowNull: false },
      effectiveFrom: { type: DataTypes.DATE, allowNull: false },
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'PublisherShare',
      tableName: 'publisher_shares',
      underscored: true,
      timestamps: false,
    },
  );
  return BoundPublisherShare;
}
