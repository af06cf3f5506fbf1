import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8 } from './columns.ts';
import type { ReviewFinding } from './json.ts';

export class Task extends Model<InferAttributes<Task>, InferCreationAttributes<Task>> {
  declare id: CreationOptional<number>;
  declare kind:
    | 'campaign_review'
    | 'adgroup_review'
    | 'ad_review'
    | 'creative_review'
    | 'site_review'
    | 'zone_review'
    | 'kyc_review'
    | 'deposit_review'
    | 'deposit_second_approval'
    | 'withdrawal_review'
    | 'withdrawal_second_approval'
    | 'payout_unknown'
    | 'suspense';
  declare status: CreationOptional<'open' | 'decided' | 'void'>;
  declare subjectType: string;
  declare subjectId: number;
  declare accountId: CreationOptional<number | null>;
  declare summary: string;
  declare findings: CreationOptional<ReviewFinding[]>;
  declare decisions: string[];
  declare payload: CreationOptional<Record<string, unknown>>;
  declare requiredRole: 'ADMIN' | 'REVIEWER' | 'FINANCE' | 'SUPPORT';
  declare makerId: CreationOptional<number | null>;
  declare assigneeId: CreationOptional<number | null>;
  declare workflowId: string;
  declare dedupeKey: string;
  declare decisionId: CreationOptional<number | null>;
  declare openedAt: CreationOptional<Date>;
  declare dueAt: CreationOptional<Date | null>;
  declare decidedAt: CreationOptional<Date | null>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindTask(sequelize: Sequelize): typeof Task {
  class BoundTask extends Task {}
  BoundTask.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      kind: { type: DataTypes.TEXT, allowNull: false },
      status: DataTypes.TEXT,
      subjectType: { type: DataTypes.TEXT, allowNull: false },
      subjectId: int8('subjectId'),
      accountId: int8('accountId'),
      summary: { type: DataTypes.TEXT, allowNull: false },
      findings: DataTypes.JSONB,
      decisions: { type: DataTypes.JSONB, allowNull: false },
      payload: DataTypes.JSONB,
      requiredRole: { type: DataTypes.TEXT, allowNull: false },
      makerId: int8('makerId'),
      assigneeId: int8('assigneeId'),
      workflowId: { type: DataTypes.TEXT, allowNull: false },
      dedupeKey: { type: DataTypes.TEXT, allowNull: false },
      decisionId: int8('decisionId'),
      openedAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
      dueAt: DataTypes.DATE,
      decidedAt: DataTypes.DATE,
    },
    { sequelize, modelName: 'Task', tableName: 'tasks', underscored: true, timestamps: false },
  );
  return BoundTask;
}
