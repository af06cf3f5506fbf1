import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from '@swc/core';

/** What the consoles of accounts can be pressed for, as their code says it. */
export interface Pressed {
  /** File and function. */
  at: string;
  /** What is sent from there. */
  sends: string[];
  /** Whose roles are asked before; null asks for what the page changes. What only reads is left out. */
  asks: (string | null)[];
}

/** As much of a syntax tree's node as is looked at here. */
interface SyntaxNode {
  type: string;
  value?: unknown;
  name?: SyntaxNode;
  key?: SyntaxNode;
  id?: SyntaxNode;
  init?: unknown;
  identifier?: SyntaxNode;
  callee?: SyntaxNode;
  arguments?: { expression: SyntaxNode }[];
  properties?: SyntaxNode[];
  attributes?: SyntaxNode[];
  opening?: SyntaxNode;
  source?: { value: string };
  specifiers?: { local: { value: string } }[];
  quasis?: { raw: string }[];
  expressions?: SyntaxNode[];
}

interface Source {
  tree: SyntaxNode[];
  /** Local names, and the files that they come from. */
  imports: Map<string, string>;
  /** By the name it is declared under: routes of its `write(…)`. */
  writes: Map<string, string[]>;
}

const CONSOLE = path.resolve('web/console');
const REALMS = ['advertiser', 'publisher'] as const;
const OF_ACCOUNTS = ['routes/advertiser/', 'routes/publisher/', 'parts/'];
/** Parts that send what they are given, and ask for its roles. */
const SENDERS = ['Form', 'EditForm', 'TextDialog', 'Appeal', 'BulkBar', 'FileDrop'];

const files = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.tsx?$/.test(file),
);
const sources = new Map<string, Source>();

/** Every function of the accounts' consoles that sends something. */
export function pressed(): Pressed[] {
  return files
    .filter((file) => OF_ACCOUNTS.some((folder) => file.startsWith(folder)))
    .flatMap((file) => {
      const { tree } = sourceOf(file);
      return tree.flatMap((part) => {
        const name = nameOf(part);
        const sends = [...below(part)].flatMap((node) => sentBy(node, file, part));
        const own = [...new Set(sends)].filter((route) => !route.includes('/api/admin/'));
        if (own.length === 0) return [];
        const asks = [...below(part)]
          .flatMap((node) => askedBy(node, file, part))
          .filter((route) => route?.startsWith('GET') !== true);
        return [{ at: `${file} ${name}`, sends: own, asks: [...new Set(asks)] }];
      });
    });
}

function sourceOf(file: string): Source {
  const known = sources.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(path.join(CONSOLE, file), 'utf8');
  const tree = parseSync(text, { syntax: 'typescript', tsx: file.endsWith('x') })
    .body as unknown as SyntaxNode[];
  const imports = new Map<string, string>();
  const writes = new Map<string, string[]>();
  for (const node of below(tree)) {
    if (node.type === 'ImportDeclaration' && node.source?.value.startsWith('.') === true) {
      const from = path.join(path.dirname(file), node.source.value);
      for (const { local } of node.specifiers ?? []) imports.set(local.value, from);
    }
    const key = String((node.type === 'VariableDeclarator' ? node.id : node.key)?.value);
    const routes = writtenBy((node.init ?? node.value) as SyntaxNode | undefined);
    if (routes.length > 0) writes.set(key, [...(writes.get(key) ?? []), ...routes]);
  }
  const source = { tree, imports, writes };
  sources.set(file, source);
  return source;
}

function* below(part: unknown): Generator<SyntaxNode> {
  if (typeof part !== 'object' || part === null) return;
  if ('type' in part && typeof part.type === 'string') yield part as SyntaxNode;
  for (const inner of Object.values(part)) yield* below(inner);
}

const nameOf = (part: SyntaxNode): string => {
  for (const { type, id, identifier } of below(part)) {
    if (type === 'VariableDeclarator') return String(id?.value);
    if (type === 'FunctionDeclaration') return String(identifier?.value);
  }
  return part.type;
};

/** Of `write('POST …', …)`, and of what orders money likewise. */
const writtenBy = (node: SyntaxNode | undefined): string[] =>
  node?.type === 'CallExpression' && ['write', 'order'].includes(String(node.callee?.value))
    ? routesIn(node.arguments?.[0]?.expression)
    : [];

/** A route that is spelled out, of each realm where it is the same in both. */
function routesIn(node: SyntaxNode | undefined): string[] {
  if (node?.type === 'StringLiteral') return [String(node.value)];
  if (node?.type !== 'TemplateLiteral') return [];
  return REALMS.map((realm) => (node.quasis ?? []).map(({ raw }) => raw).join(realm));
}

function sentBy(node: SyntaxNode, file: string, part: SyntaxNode): string[] {
  if (node.type !== 'CallExpression' || node.callee?.value !== 'useWrite') return [];
  const given = node.arguments?.[0]?.expression;
  const inline = writtenBy(given);
  const routes = inline.length > 0 ? inline : declared(given, file, part);
  if (routes.length === 0) throw new Error(`${file} sends what is declared nowhere`);
  return routes;
}

/** What a name stands for: what is imported under it, or what a file that is imported calls so. */
function declared(node: SyntaxNode | undefined, file: string, part: SyntaxNode): string[] {
  const names = [...below(node)].filter(({ type }) => type === 'Identifier');
  const last = String(names.at(-1)?.value);
  const named = [file, ...reachable(file)].flatMap((each) => sourceOf(each).writes.get(last) ?? []);
  const direct = sourceOf(file).imports.get(last);
  const exact = direct === undefined ? [] : (sourceOf(direct).writes.get(last) ?? []);
  if (exact.length > 0) return exact;
  if (named.length > 0) return named;
  // `SAVES[level]`: any of what it holds.
  const first = String(names[0]?.value);
  const holder = sourceOf(file).tree.find((each) => each !== part && nameOf(each) === first);
  if (holder !== undefined) return declared(holder, file, part);
  const from = sourceOf(file).imports.get(first);
  if (from === undefined) return [];
  return [from, ...reachable(from)].flatMap((each) => [...sourceOf(each).writes.values()].flat());
}

/** What a file imports of the writes' declarations, and these of each other. */
function reachable(file: string): string[] {
  const next = [...new Set(sourceOf(file).imports.values())].filter((each) =>
    /^queries\/|^parts\/[\w-]+\.ts$/.test(each),
  );
  return [...new Set([...next, ...next.flatMap(reachable)])];
}

function askedBy(node: SyntaxNode, file: string, part: SyntaxNode): (string | null)[] {
  const given = routeGiven(node);
  if (given === undefined) return [];
  if (given === null) return [null];
  const routes = routesIn(given);
  return routes.length > 0 ? routes : declared(withoutLast(given), file, part);
}

/** `saving.route` is that of what `saving` sends. */
const withoutLast = (node: SyntaxNode): SyntaxNode =>
  node.type === 'MemberExpression' ? ((node as { object?: SyntaxNode }).object ?? node) : node;

/** Undefined of what asks nobody; null where no route is named. */
function routeGiven(node: SyntaxNode): SyntaxNode | null | undefined {
  if (node.type === 'ObjectExpression') {
    const keys = new Map((node.properties ?? []).map((each) => [each.key?.value, each.value]));
    if (!keys.has('label')) return undefined;
    const isAction =
      keys.has('run') || (node.properties ?? []).some((each) => /Method/.test(each.type));
    return isAction ? ((keys.get('route') as SyntaxNode | undefined) ?? null) : undefined;
  }
  if (node.type === 'CallExpression' && node.callee?.value === 'useForbidden') {
    return node.arguments?.[0]?.expression;
  }
  if (node.type !== 'JSXOpeningElement') return undefined;
  const route = node.attributes?.find(({ name }) => name?.value === 'route');
  if (route === undefined) return SENDERS.includes(String(node.name?.value)) ? null : undefined;
  const value = route.value as SyntaxNode & { expression?: SyntaxNode };
  return value.expression ?? value;
}
