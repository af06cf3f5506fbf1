import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { META_NAME } from '../../domain/lifecycle/site-proof.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/**
 * A meta tag in the head, as a browser reads the page: what stands inside another tag's attribute, a
 * comment, a script, a template or the body is no tag of the head, and whoever writes comments writes there.
 */
export function hasMetaProof(html: string, code: string): boolean {
  const root = elementsOf(parse(html).childNodes).find(({ tagName }) => tagName === 'html');
  const head = elementsOf(root?.childNodes ?? []).find(({ tagName }) => tagName === 'head');
  return elementsOf(head?.childNodes ?? []).some(
    (tag) =>
      tag.tagName === 'meta' &&
      attribute(tag, 'name').toLowerCase() === META_NAME &&
      attribute(tag, 'content') === code,
  );
}

const elementsOf = (nodes: readonly Node[]): Element[] =>
  nodes.filter((node): node is Element => 'tagName' in node);

const attribute = ({ attrs }: Element, name: string): string =>
  attrs.find((each) => each.name === name)?.value.trim() ?? '';
