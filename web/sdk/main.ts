import { script } from './page.ts';
import { fillSlot } from './slot.ts';

/**
 * The page SDK. `<script async src=".../sdk.js"></script>` and, anywhere on the page,
 * `<div data-adp-zone="zone_xxxxxxxx"></div>`. Elements that a single-page app adds later are
 * found as they appear, and those that it gives a zone, or another one, as it does. `data-base` on the script names another ad host than the script's own,
 * and what the page is about may be said there, too (page.ts).
 * A page may carry it with each zone's code: the first one serves them all.
 */
const baseUrl = script?.dataset['base'] ?? new URL(script?.src ?? location.href).origin;

function fillAll(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-adp-zone]')) {
    void fillSlot(element, baseUrl);
  }
}

function start(): void {
  fillAll(document);
  new MutationObserver((records) => {
    for (const record of records) {
      if (record.type === 'attributes') void fillSlot(record.target as HTMLElement, baseUrl);
      for (const node of record.addedNodes) {
        if (!(node instanceof HTMLElement)) continue;
        if (node.dataset['adpZone'] !== undefined) void fillSlot(node, baseUrl);
        fillAll(node);
      }
    }
  }).observe(document.documentElement, {
    childList: true,
    subtree: true,
    attributeFilter: ['data-adp-zone'],
  });
}

function begin(): void {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
  else start();
}

const STARTED = Symbol.for('adp.sdk');
if (!Reflect.has(document, STARTED)) {
  Reflect.set(document, STARTED, true);
  // A page that the browser makes ahead may never be looked at: it asks for ads once it is.
  if (Reflect.get(document, 'prerendering') === true) {
    document.addEventListener('prerenderingchange', begin, { once: true });
  } else begin();
}
