import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8 } from './columns.ts';

export class AuditEntry extends Model<
  InferAttributes<AuditEntry>,
  InferCreationAttributes<AuditEntry>
> {
  declare id: CreationOptional<number>;
  declare actorType: 'OPERATOR' | 'ACCOUNT' | 'SYSTEM';
  declare actorId: CreationOptional<number | null>;
  declare action: string;
  declare subjectType: string;
  declare subjectId: CreationOptional<number | null>;
  declare detail: CreationOptional<Record<string, unknown>>;
  declare requestId: CreationOptional<string | null>;
  declare createdAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindAuditEntry(sequelize: Sequelize): typeof AuditEntry {
  class BoundAuditEntry extends AuditEntry {}
  BoundAuditEntry.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      actorType: { type: DataTypes.TEXT, allowNull: false },
      actorId: int8('actorId'),
      action: { type: DataTypes.TEXT, allowNull: false },
      subjectType: { type: DataTypes.TEXT, allowNull: false },
      subjectId: int8('subjectId'),
      detail: DataTypes.JSONB,
      requestId: DataTypes.TEXT,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'AuditEntry',
      tableName: 'audit_log',
      underscored: true,
      timestamps: false,
    },
  );
  return BoundAuditEntry;
}
