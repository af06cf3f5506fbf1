import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';

export class RevokedToken extends Model<
  InferAttributes<RevokedToken>,
  InferCreationAttributes<RevokedToken>
> {
  declare jti: string;
  declare expiresAt: Date;
  declare createdAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindRevokedToken(sequelize: Sequelize): typeof RevokedToken {
  class BoundRevokedToken extends RevokedToken {}
  BoundRevokedToken.init(
    {
      jti: { type: DataTypes.TEXT, primaryKey: true, allowNull: false },
      expiresAt: { type: DataTypes.DATE, allowNull: false },
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'RevokedToken',
      tableName: 'revoked_tokens',
      underscored: true,
      timestamps: false,
    },
  );
  return BoundRevokedToken;
}
