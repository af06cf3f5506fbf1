import { parseSync } from '@swc/core';

/** A text of the sources that the API may say, what is filled in as `{0}`, `{1}`; and what it is given to. */
export interface SentMessage {
  text: string;
  /** The property, the function or the constant that it stands in. */
  of: string;
}

/** A sentence is a message wherever it stands. */
const SENTENCE = /^(?:[A-Z]|\{\d+\}).* .*[.?!]$/s;

/** What is no sentence is one where it is given to these, or where a part of one is made. */
const SAYS =
  /^(message|refusal|instruction|why|rule|conflict|fault|at|refused|only|email|matches|test|oneOf|digits|full|words|pageWords|unusable|Unusable|unsupported|tooLarge|trackFault|misplaced|malformed|emailClaimed|TAKEN|TEXT_FAULTS|AMOUNT_RULE|BUDGET_RULE|MOMENT_RULE|ONE_AD|control|direction|script_address|url|macro_in_host|host_not_public|IMAGE|VIDEO|HTML5|NETWORK_NOT_OFFERED|OWN_ADDRESS|ownUrl|expired|replaced|withdrawn)$/;
const PHRASE = /^[A-Za-z\d{][^<>]* [^<>]*$/s;
/** References to the rules of docs/interface.md, and SQL. */
const NO_PHRASE = /^interface \d|^\{0\}, \d|\$\d|\b(?:SELECT|FROM|WHERE|IS NULL)\b/;

/** Everything that a source may say to whoever asks the API. */
export function sentMessagesOf(source: string): SentMessage[] {
  const found: SentMessage[] = [];
  const look = (part: unknown, of: string): void => {
    if (typeof part !== 'object' || part === null) return;
    if (Array.isArray(part)) return part.forEach((each) => look(each, of));
    const node = part as SyntaxNode;
    if (/^(Import|ExportAll|Ts(Type|Interface|Literal))/.test(node.type ?? '')) return;
    const text = textOf(node, counter());
    if (text === null) {
      const inner = nameOf(node) ?? of;
      for (const each of Object.values(node)) look(each, inner);
      return;
    }
    if (SENTENCE.test(text)) found.push({ text, of });
    else if (SAYS.test(of) && PHRASE.test(text) && !NO_PHRASE.test(text)) found.push({ text, of });
    for (const each of node.expressions ?? []) look(each, of);
  };
  look(parseSync(source, { syntax: 'typescript', decorators: true }).body, '');
  return found;
}

/** As much of a syntax tree's node as is looked at here. */
interface SyntaxNode {
  type?: string;
  value?: unknown;
  operator?: string;
  left?: SyntaxNode;
  right?: SyntaxNode;
  expression?: SyntaxNode;
  expressions?: SyntaxNode[];
  quasis?: { cooked: string }[];
  callee?: SyntaxNode;
  property?: SyntaxNode;
  key?: SyntaxNode;
  id?: SyntaxNode;
  identifier?: SyntaxNode;
}

const counter = (): (() => number) => {
  let at = 0;
  return () => at++;
};

/** A text, with a place for each value that is filled in; null where the node is none. */
function textOf(node: SyntaxNode | undefined, next: () => number): string | null {
  if (node?.type === 'StringLiteral') return wordOf(node) ?? null;
  if (node?.type === 'ParenthesisExpression') return textOf(node.expression, next);
  if (node?.type === 'TemplateLiteral') {
    const parts = (node.quasis ?? []).map(({ cooked }) => cooked);
    return parts.reduce((text, part) => `${text}{${next()}}${part}`);
  }
  if (node?.type !== 'BinaryExpression' || node.operator !== '+') return null;
  const left = textOf(node.left, next);
  const right = textOf(node.right, next);
  if (left === null && right === null) return null;
  return `${left ?? `{${next()}}`}${right ?? `{${next()}}`}`;
}

const wordOf = (node: SyntaxNode | undefined): string | undefined =>
  typeof node?.value === 'string' ? node.value : undefined;

/** What the node gives its inner texts to, where it has a name. */
function nameOf(node: SyntaxNode): string | undefined {
  const { type } = node;
  if (type === 'CallExpression' || type === 'NewExpression') {
    return wordOf(node.callee) ?? wordOf(node.callee?.property) ?? '';
  }
  if (type === 'KeyValueProperty') return wordOf(node.key) ?? '';
  if (type === 'VariableDeclarator') return wordOf(node.id);
  return type === 'FunctionDeclaration' ? wordOf(node.identifier) : undefined;
}
