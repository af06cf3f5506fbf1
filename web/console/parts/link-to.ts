/** A built address as a link takes it: `<Link {...linkTo('/advertiser/ads?page=2')}>`. */
export function linkTo(address: string): { to: string; search: Record<string, string> } {
  const [to = '', query = ''] = address.split('?');
  return { to, search: Object.fromEntries(new URLSearchParams(query)) };
}
