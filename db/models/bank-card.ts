import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8 } from './columns.ts';

export class BankCard extends Model<InferAttributes<BankCard>, InferCreationAttributes<BankCard>> {
  declare id: CreationOptional<number>;
  declare publisherId: number;
  declare sealedInfo: Buffer;
  declare last4: string;
  declare country: string;
  declare currency: string;
  declare isDefault: CreationOptional<boolean>;
  declare usableFrom: Date;
  declare status: CreationOptional<'ACTIVE' | 'ARCHIVED'>;
  declare createdAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindBankCard(sequelize: Sequelize): typeof BankCard {
  class BoundBankCard extends BankCard {}
  BoundBankCard.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      publisherId: int8('publisherId'),
      sealedInfo: { type: DataTypes.BLOB, allowNull: false },
      last4: { type: DataTypes.TEXT, allowNull: false },
      country: { type: DataTypes.TEXT, allowNull: false },
      currency: { type: DataTypes.TEXT, allowNull: false },
      isDefault: DataTypes.BOOLEAN,
      usableFrom: { type: DataTypes.DATE, allowNull: false },
      status: DataTypes.TEXT,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'BankCard',
      tableName: 'bank_cards',
      underscored: true,
      timestamps: false,
    },
  );
  return BoundBankCard;
}
