import { isIP } from 'node:net';
import { isPublicAddress } from '../../activities/providers/public-address.ts';
import { isPublicName, mayBeCalled, parseUrl } from '../../domain/url.ts';
import { webUrl } from './fields.ts';

/**
 * An address that we call: what the way out would refuse each time (activities/providers/safe-fetch.ts) is
 * refused when it is saved. Whether a name leads to a public address is seen at each call.
 */
export const calledUrl = () =>
  webUrl().test('called_url', (value, context) => {
    // What is no address at all has been named by the test before this one.
    const url = webUrl().isValidSync(value) ? parseUrl(value ?? '') : null;
    if (url === null) return true;
    if (!mayBeCalled(url)) {
      return context.createError({ type: 'port', message: 'must be at port 80 or 443' });
    }
    if (isPublicHost(url)) return true;
    return context.createError({ type: 'host_not_public', message: 'must have a public host' });
  });

function isPublicHost({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? isPublicName(hostname) : isPublicAddress(host);
}
