import { asksForPrivacy, deviceCore } from '../sdk/device.ts';
import { nonce, obfuscateForRequest } from '../sdk/protocol.ts';
import { bidder } from './adapter.ts';

/** What is sealed with the ad: all that its document reports later is held against it. */
const spec = bidder((zone, isPrivate) => {
  const fresh = nonce(Date.now());
  return {
    _r: fresh,
    _d: obfuscateForRequest(zone, fresh, deviceCore(isPrivate || asksForPrivacy())),
  };
});

/**
 * `<script async src=".../prebid-adapter.js"></script>` beside Prebid.js, before or behind it: the bidder
 * `adplatform` is there when Prebid works off its queue.
 */
interface Prebid {
  que: { push(run: () => void): void };
  registerBidAdapter(adapter: undefined, code: string, bidder: typeof spec): void;
}

const page = window as unknown as { pbjs?: Partial<Prebid> };
const pbjs = (page.pbjs ??= {});
pbjs.que ??= [];
pbjs.que.push(() => {
  pbjs.registerBidAdapter?.(undefined, spec.code, spec);
});
