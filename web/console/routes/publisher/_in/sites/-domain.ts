/** The domain of what was pasted, which is mostly the address of a page; empty is none. */
export function domainOf(pasted: string | null): string | null {
  const text = (pasted ?? '').trim();
  const domain = text.replace(/^https?:\/\//i, '').replace(/[/?#].*$/, '');
  // What is an address without any domain is left to be refused as it stands.
  return text === '' ? null : domain === '' ? text : domain;
}
