import { parseSync } from '@swc/core';
import { sqlName, type Table } from '../../db/schema/table.ts';
import { TABLES } from '../../db/tables/index.ts';

/** What test/tidy.test.ts looks for that takes more than a word to find. */

/** By table: its columns that move by a lifecycle. */
const STATUS_COLUMNS = new Map(
  (Object.values(TABLES) as Table[]).map((of) => [
    of.name,
    Object.keys(of.columns)
      .filter((property) => of.columns[property]?.lifecycle !== undefined)
      .map((property) => sqlName(of, property)),
  ]),
);
const ANY_STATUS_COLUMN = [...new Set([...STATUS_COLUMNS.values()].flat())];

/** `UPDATE table … SET …` and `INSERT INTO table … DO UPDATE SET …`, to the end of the text. */
const SETS =
  /\b(?:UPDATE|INTO)\s+([a-z_]+|\$\{[^}]*\})((?!\b(?:UPDATE|INTO)\s+[a-z$])[^`;])*?\bSET\s([^`;]*)/g;

/** `table.column` of every status that SQL in this text writes itself; of any table where it is computed. */
export function writtenStatuses(text: string): string[] {
  return [...text.matchAll(SETS)].flatMap(([, table = '', , assignments = '']) => {
    const [sets = ''] = withoutBrackets(assignments).split(/\b(?:WHERE|FROM|RETURNING)\b/);
    const columns = STATUS_COLUMNS.get(table) ?? (table.startsWith('$') ? ANY_STATUS_COLUMN : []);
    return columns
      .filter((column) => new RegExp(`(?:^|,)\\s*${column}\\s*=`).test(sets))
      .map((column) => `${table}.${column}`);
  });
}

function withoutBrackets(sql: string): string {
  const shorter = sql.replace(/\([^()]*\)/g, '');
  return shorter === sql ? sql : withoutBrackets(shorter);
}

/** A type whose comment says that it is a wire format has the names that the wire has. */
const WIRE_FORMATS =
  /\/\*\*(?:(?!\*\/)[^])*\bwire format\b(?:(?!\*\/)[^])*\*\/\s*(?:export )?(?:interface|type) (\w+)/g;

/** Properties of types that are named as columns are in SQL. */
export function snakeCaseProperties(text: string): string[] {
  const wire = new Set([...text.matchAll(WIRE_FORMATS)].map(([, name]) => name));
  const found: string[] = [];
  visit(parse(text), (node) => {
    if (/^Ts(Interface|TypeAlias)Declaration$/.test(node.type) && wire.has(node.id?.value)) {
      return false;
    }
    const name = node.type === 'TsPropertySignature' ? node.key?.value : undefined;
    if (name !== undefined && /^[a-z0-9]+(_[a-z0-9]+)+$/.test(name)) found.push(name);
    return true;
  });
  return found;
}

/** Names other than types that are imported of Sequelize. */
export function sequelizeValues(text: string): string[] {
  const found: string[] = [];
  visit(parse(text), (node) => {
    if (node.type !== 'ImportDeclaration') return true;
    if (node.source?.value === 'sequelize' && node.typeOnly !== true) {
      const values = (node.specifiers ?? []).filter(({ isTypeOnly }) => isTypeOnly !== true);
      found.push(...values.map(({ local }) => local.value));
    }
    return false;
  });
  return found;
}

/** Lines that begin an effect with no comment above that says why there is one. */
export function effectsWithoutWhy(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter(
    (line, at) =>
      /^(React\.)?use(Layout)?Effect\(/.test(line) && !/^\/\/|\*\/$/.test(lines[at - 1] ?? ''),
  );
}

const HAN = /\p{Script=Han}/u;
/** Words that are no name: `CSV`, `ads.txt` and `Temporal` stay as they are. */
const ENGLISH = /(?<![\w./-])([a-z]{4,}|[A-Z][a-z]+ [a-z]+)(?![\w./-])/;

/** Chinese texts with no Chinese in them, of a file that declares both languages. */
export const untranslatedTexts = (text: string): string[] =>
  chineseTexts(text).filter((words) => ENGLISH.test(words) && !HAN.test(words));

function chineseTexts(text: string): string[] {
  const found: string[] = [];
  visit(parse(text), (node) => {
    if (node.type !== 'KeyValueProperty' || node.key?.value !== 'zh') return true;
    visit(node.value, (inner) => {
      const isString = inner.type === 'StringLiteral' && typeof inner.value === 'string';
      const said = isString ? inner.value : inner.quasis?.map((q) => q.raw).join('…');
      if (typeof said === 'string') found.push(said);
      // What stands inside a template is a part of its text.
      return inner.quasis === undefined;
    });
    return false;
  });
  return found;
}

/** Chinese texts with a mark of Latin script beside a Chinese sign: `名称(备注)`, `名称:`. */
export function latinMarks(text: string): string[] {
  return chineseTexts(text).filter((words) =>
    /\p{Script=Han}[,;:!?()]|[,;:!?()]\p{Script=Han}/u.test(words),
  );
}

/** What code puts between two texts of a page, which is another mark in Chinese: `useMarks` has both. */
export const bareBrackets = (text: string): string[] => text.match(/[}`] ?\(\$\{[^}]*\}\)/g) ?? [];

/** As much of a syntax tree's node as is looked at here. */
interface SyntaxNode {
  type: string;
  id?: { value: string };
  key?: { value?: string };
  value?: unknown;
  quasis?: { raw: string }[];
  source?: { value: string };
  typeOnly?: boolean;
  specifiers?: { isTypeOnly?: boolean; local: { value: string } }[];
}

const parse = (text: string): unknown => parseSync(text, { syntax: 'typescript' });

/** Every node from the outside in; below one for which `enter` answers false nothing is visited. */
function visit(part: unknown, enter: (node: SyntaxNode) => boolean): void {
  if (typeof part !== 'object' || part === null) return;
  if ('type' in part && typeof part.type === 'string' && !enter(part as SyntaxNode)) return;
  for (const inner of Object.values(part)) visit(inner, enter);
}
