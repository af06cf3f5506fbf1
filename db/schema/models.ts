import {
  DataTypes,
  Model,
  type ModelAttributeColumnOptions,
  type ModelStatic,
  type Sequelize,
} from 'sequelize';
import type { AnyColumn, KindName } from './column.ts';
import { TABLES } from '../tables/index.ts';
import { type NewRow, type Row, sqlName, type Table } from './table.ts';

type ModelOf<Of extends Table> = ModelStatic<Model<Row<Of>, NewRow<Of>> & Row<Of>>;

export type Models = { [Name in keyof typeof TABLES]: ModelOf<(typeof TABLES)[Name]> };

/** A record of a table: its columns as properties, and Sequelize's `set`, `changed` and `save`. */
export type RecordOf<Name extends keyof typeof TABLES> = InstanceType<Models[Name]>;

/**
 * A model of every table, under the name of its declaration: `models.adGroups`. Each is made when it is first
 * asked for: all of them cost tens of milliseconds, and a process writes few.
 */
export function bindModels(sequelize: Sequelize): Models {
  const models: object = {};
  for (const [name, each] of Object.entries(TABLES)) {
    let bound: Models[keyof Models] | undefined;
    Object.defineProperty(models, name, {
      enumerable: true,
      get: () => (bound ??= bindModel(sequelize, each) as Models[keyof Models]),
    });
  }
  return models as Models;
}

/** A model class of its own per connection, so that two connections in one process stay apart. */
function bindModel<Of extends Table>(sequelize: Sequelize, of: Of): ModelOf<Of> {
  class Bound extends Model {}
  const names = Object.keys(of.columns);
  Bound.init(Object.fromEntries(names.map((name) => [name, attributeOf(of, name)])), {
    sequelize,
    modelName: of.name,
    tableName: of.name,
    // The database says when a row was made, as for rows that SQL writes.
    createdAt: false,
    updatedAt: names.includes('updatedAt') && 'updatedAt',
    timestamps: names.includes('updatedAt'),
  });
  refuseStatusWrites(Bound, of);
  return Bound as unknown as ModelOf<Of>;
}

function attributeOf(of: Table, name: string): ModelAttributeColumnOptions {
  const column = of.columns[name] as AnyColumn;
  const isIdentity = name === 'id' && column.kind.name === 'ref';
  return {
    type: TYPES[column.kind.name],
    field: sqlName(of, name),
    allowNull: column.isNull || column.hasDefault,
    primaryKey: of.key.includes(name),
    autoIncrement: isIdentity,
    get(this: Model) {
      const raw: unknown = this.getDataValue(name as never);
      return raw === null || raw === undefined ? raw : column.kind.read(raw);
    },
  };
}

const TYPES: Readonly<Record<KindName, ModelAttributeColumnOptions['type']>> = {
  ref: DataTypes.BIGINT,
  nanos: DataTypes.BIGINT,
  whole: DataTypes.INTEGER,
  decimal: DataTypes.DECIMAL,
  text: DataTypes.TEXT,
  flag: DataTypes.BOOLEAN,
  time: DataTypes.DATE,
  day: DataTypes.DATEONLY,
  json: DataTypes.JSONB,
  bytes: DataTypes.BLOB,
  uuid: DataTypes.UUID,
  refs: DataTypes.ARRAY(DataTypes.BIGINT),
  xid8: DataTypes.TEXT,
  digits: DataTypes.BIGINT,
};

/** Statuses move by db/schema/move.ts only. */
function refuseStatusWrites(model: ModelStatic<Model>, of: Table): void {
  const states = Object.entries(of.columns).filter(([, { lifecycle }]) => lifecycle !== undefined);
  if (states.length === 0) return;
  const refuse = (names: readonly string[] | false | undefined): void => {
    const written = states.find(([name]) => names !== false && names?.includes(name) === true);
    if (written !== undefined) throw new Error(`${of.name}.${written[0]} changes by a move only`);
  };
  model.addHook('beforeUpdate', (record) => refuse((record as Model).changed()));
  model.addHook('beforeBulkUpdate', (options) =>
    refuse((options as { fields?: string[]; attributes?: object }).fields),
  );
}
