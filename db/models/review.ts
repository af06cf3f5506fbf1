import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { int8 } from './columns.ts';
import type { ReviewFinding, ReviewReason } from './json.ts';

export class Review extends Model<InferAttributes<Review>, InferCreationAttributes<Review>> {
  declare id: CreationOptional<number>;
  declare subjectType: 'campaign' | 'adgroup' | 'ad' | 'creative' | 'site' | 'zone';
  declare subjectId: number;
  declare round: number;
  declare revision: CreationOptional<number | null>;
  declare accountId: number;
  declare status: CreationOptional<'OPEN' | 'APPROVED' | 'REJECTED' | 'VOID'>;
  declare decidedBy: CreationOptional<'AUTO' | 'OPERATOR' | null>;
  declare findings: CreationOptional<ReviewFinding[]>;
  declare reasons: CreationOptional<ReviewReason[] | null>;
  declare workflowId: string;
  declare createdAt: CreationOptional<Date>;
  declare decidedAt: CreationOptional<Date | null>;
}

/** A class of its own per connection, so that two connections in one process stay apart. */
export function bindReview(sequelize: Sequelize): typeof Review {
  class BoundReview extends Review {}
  BoundReview.init(
    {
      id: int8('id', { primaryKey: true, autoIncrement: true }),
      subjectType: { type: DataTypes.TEXT, allowNull: false },
      subjectId: int8('subjectId'),
      round: { type: DataTypes.INTEGER, allowNull: false },
      revision: DataTypes.INTEGER,
      accountId: int8('accountId'),
      status: DataTypes.TEXT,
      decidedBy: DataTypes.TEXT,
      findings: DataTypes.JSONB,
      reasons: DataTypes.JSONB,
      workflowId: { type: DataTypes.TEXT, allowNull: false },
      createdAt: { type: DataTypes.DATE, defaultValue: DataTypes.NOW },
      decidedAt: DataTypes.DATE,
    },
    { sequelize, modelName: 'Review', tableName: 'reviews', underscored: true, timestamps: false },
  );
  return BoundReview;
}
