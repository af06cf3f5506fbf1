import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8 } from './columns.ts';

export class OutboxMessage extends Model<
  InferAttributes<OutboxMessage>,
  InferCreationAttributes<OutboxMessage>
> {
  declare id: CreationOptional<number>;
  declare kind: 'workflow_start' | 'workflow_signal' | 'workflow_update' | 'publish';
  declare dedupeKey: string;
  declare payload: Record<string, unknown>;
  declare attempts: CreationOptional<number>;
  declare nextAt: CreationOptional<Date>;
  declare doneAt: CreationOptional<Date | null>;
  declare deadAt: CreationOptional<Date | null>;
  declare lastError: CreationOptional<string | null>;
  declare createdAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindOutboxMessage(sequelize: Sequelize): typeof OutboxMessage {
  class BoundOutboxMessage extends OutboxMessage {}
  BoundOutboxMessage.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      kind: { type: DataTypes.TEXT, allowNull: false },
      dedupeKey: { type: DataTypes.TEXT, allowNull: false },
      payload: { type: DataTypes.JSONB, allowNull: false },
      attempts: DataTypes.INTEGER,
      nextAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
      doneAt: DataTypes.DATE,
      deadAt: DataTypes.DATE,
      lastError: DataTypes.TEXT,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'OutboxMessage',
      tableName: 'outbox',
      underscored: true,
      timestamps: false,
    },
  );
  return BoundOutboxMessage;
}
