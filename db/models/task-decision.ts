import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8 } from './columns.ts';
import type { ReviewReason } from './json.ts';

export class TaskDecision extends Model<
  InferAttributes<TaskDecision>,
  InferCreationAttributes<TaskDecision>
> {
  declare id: CreationOptional<number>;
  declare taskId: number;
  declare operatorId: number;
  declare decision: string;
  declare reasons: CreationOptional<ReviewReason[]>;
  declare note: CreationOptional<string | null>;
  declare evidenceMediaId: CreationOptional<number | null>;
  declare status: CreationOptional<'PENDING' | 'APPLIED' | 'REFUSED'>;
  declare refusal: CreationOptional<string | null>;
  declare createdAt: CreationOptional<Date>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindTaskDecision(sequelize: Sequelize): typeof TaskDecision {
  class BoundTaskDecision extends TaskDecision {}
  BoundTaskDecision.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      taskId: int8('taskId'),
      operatorId: int8('operatorId'),
      decision: { type: DataTypes.TEXT, allowNull: false },
      reasons: DataTypes.JSONB,
      note: DataTypes.TEXT,
      evidenceMediaId: int8('evidenceMediaId'),
      status: DataTypes.TEXT,
      refusal: DataTypes.TEXT,
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
    },
    {
      sequelize,
      modelName: 'TaskDecision',
      tableName: 'task_decisions',
      underscored: true,
      timestamps: false,
    },
  );
  return BoundTaskDecision;
}
