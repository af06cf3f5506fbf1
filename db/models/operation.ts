import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8 } from './columns.ts';
import type { Json, TimelineEntry } from './json.ts';

export class Operation extends Model<
  InferAttributes<Operation>,
  InferCreationAttributes<Operation>
> {
  declare id: CreationOptional<number>;
  declare accountId: CreationOptional<number | null>;
  declare kind: string;
  declare subjectType: CreationOptional<string | null>;
  declare subjectId: CreationOptional<number | null>;
  declare workflowId: string;
  declare status: CreationOptional<
    'queued' | 'running' | 'waiting_human' | 'succeeded' | 'failed' | 'cancelled'
  >;
  declare phase: CreationOptional<string | null>;
  declare progress: CreationOptional<Json | null>;
  declare result: CreationOptional<Json | null>;
  declare error: CreationOptional<Json | null>;
  declare timeline: CreationOptional<TimelineEntry[]>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindOperation(sequelize: Sequelize): typeof Operation {
  class BoundOperation extends Operation {}
  BoundOperation.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      accountId: int8('accountId'),
      kind: { type: DataTypes.TEXT, allowNull: false },
      subjectType: DataTypes.TEXT,
      subjectId: int8('subjectId'),
      workflowId: { type: DataTypes.TEXT, allowNull: false },
      status: DataTypes.TEXT,
      phase: DataTypes.TEXT,
      progress: DataTypes.JSONB,
      result: DataTypes.JSONB,
      error: DataTypes.JSONB,
      timeline: DataTypes.JSONB,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
      updatedAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'Operation',
      tableName: 'operations',
      underscored: true,
      timestamps: true,
    },
  );
  return BoundOperation;
}
