import type { Locator } from 'playwright-core';
import type { Person } from './console.ts';

/** What a person does to a page, with one of two tools: a life is lived once by each. */
export interface Hands {
  /** A link, a button, a tab, a box, an entry of an opened menu. */
  press(target: Locator): Promise<void>;
  /** In the place of what stood in the field. */
  write(field: Locator, text: string): Promise<void>;
  /** One of a list that opens below its field. */
  choose(field: Locator, option: string): Promise<void>;
  /** By the window that this button opens. */
  give(button: Locator, file: GivenFile): Promise<void>;
  /** Where the keyboard stopped and an eye cannot tell so. */
  unseen(): readonly string[];
}

interface GivenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export const TOOLS = ['mouse', 'keyboard'] as const;

export const handsOf = (person: Person, tool: (typeof TOOLS)[number]): Hands =>
  tool === 'mouse' ? mouseOf(person) : keyboardOf(person);

function mouseOf({ page }: Person): Hands {
  return {
    press: async (target) => await target.click(),
    write: async (field, text) => {
      await field.click();
      await field.fill(text);
    },
    choose: async (field, option) => {
      await field.click();
      await page.getByRole('option', { name: option, exact: true }).click();
    },
    give: async (button, file) => {
      const asked = page.waitForEvent('filechooser');
      await button.click();
      await (await asked).setFiles(file);
    },
    unseen: () => [],
  };
}

/** As far as anybody would go on pressing Tab. */
const STOPS_MAX = 70;

/** Keys alone: never told where to stand, only where it has got to. */
function keyboardOf({ page }: Person): Hands {
  const { keyboard } = page;
  const unseen = new Set<string>();
  const look = async (): Promise<void> => {
    for (const fault of await page.evaluate<string[]>(STOP)) {
      unseen.add(`${new URL(page.url()).pathname}: ${fault}`);
    }
  };
  const goTo = async (target: Locator): Promise<void> => {
    await target.waitFor();
    for (let stops = 0; stops < STOPS_MAX; stops += 1) {
      const key = await target.evaluate(keyTowards);
      if (key === null) return;
      await keyboard.press(key);
      await look();
    }
    throw new Error(`${STOPS_MAX} stops do not lead to ${String(target)}`);
  };
  return {
    press: async (target) => {
      await goTo(target);
      await keyboard.press(await target.evaluate(keyOf));
    },
    write: async (field, text) => {
      await goTo(field);
      await keyboard.press('Control+A');
      await keyboard.type(text);
    },
    choose: async (field, option) => {
      await goTo(field);
      if (await field.isEditable()) await keyboard.type(option);
      else await keyboard.press('Enter');
      const wanted = page.getByRole('option', { name: option, exact: true });
      await wanted.waitFor();
      for (
        let steps = 0;
        (await wanted.getAttribute('data-combobox-selected')) === null;
        steps += 1
      ) {
        if (steps > STOPS_MAX) throw new Error(`the arrows do not lead to ${option}`);
        await keyboard.press('ArrowDown');
      }
      await keyboard.press('Enter');
    },
    give: async (button, file) => {
      await goTo(button);
      const asked = page.waitForEvent('filechooser');
      // The page is asked once more: what it answers, it answers after it has heard that its window
      // is waited for. A key takes another door and may overtake that.
      await goTo(button);
      await keyboard.press('Enter');
      await (await asked).setFiles(file);
    },
    unseen: () => [...unseen],
  };
}

/** As much of an element as is asked here: programs of this side know no pages. */
interface Node {
  ownerDocument: { activeElement: unknown; body: Body };
  closest: (selector: string) => { contains: (other: unknown) => boolean } | null;
  matches: (selector: string) => boolean;
}

interface Body {
  tabIndex: number;
  focus: () => void;
  removeAttribute: (name: string) => void;
}

/** What leads on to a node; null where the focus has it. Inside a group arrows lead on. */
const keyTowards = (node: Node): string | null => {
  const now = node.ownerDocument.activeElement;
  if (now === node) return null;
  // Behind the last stop a browser goes on at the first; its shell would stay in a frame that is the last.
  const { body } = node.ownerDocument;
  if (now === body) {
    body.tabIndex = -1;
    body.focus();
    body.removeAttribute('tabindex');
  }
  const groups = { tablist: 'ArrowRight', radiogroup: 'ArrowDown', menu: 'ArrowDown' };
  for (const [role, key] of Object.entries(groups)) {
    if (node.closest(`[role=${role}]`)?.contains(now) === true) return key;
  }
  return 'Tab';
};

const keyOf = (node: Node): string =>
  node.matches('[type=checkbox], [type=radio]') ? 'Space' : 'Enter';

/**
 * At each stop: can it be seen at all, and did the stop before look different with the focus than
 * without it? Looks at the node and what is drawn around it, once everything has stopped moving.
 */
const STOP = `(() => {
  for (const each of document.getAnimations()) {
    if (Number.isFinite(each.effect.getComputedTiming().endTime)) each.finish();
  }
  const lookOf = (nodes) => nodes.map((node) => {
    const style = getComputedStyle(node);
    const outline = style.outlineStyle === 'none' ? '' : style.outline;
    return [outline, style.boxShadow, style.borderColor, style.background, style.left].join();
  }).join('|');
  const nameOf = (node) =>
    node.tagName + ' ' + (node.getAttribute('aria-label') || node.textContent || node.name || '').trim().slice(0, 60);
  const faults = [];
  const { activeElement: now } = document;
  const before = globalThis.stopBefore;
  // A date has several stops in one field.
  if (before !== undefined && before.nodes[0] !== now && before.nodes.every((node) => node.isConnected)) {
    if (lookOf(before.nodes) === before.look) faults.push('looks the same without the focus: ' + nameOf(before.nodes[0]));
  }
  globalThis.stopBefore = undefined;
  // What a frame shows is drawn by a page of its own.
  if (now === null || now === document.body || now.tagName === 'IFRAME') return faults;
  const around = now.parentElement;
  const above = [];
  for (let node = around; node !== null && above.length < 4; node = node.parentElement) above.push(node);
  const nodes = [now, ...above, ...around.children, ...[...now.querySelectorAll('*')].slice(0, 10)];
  globalThis.stopBefore = { nodes, look: lookOf(nodes) };
  const own = now.getBoundingClientRect();
  const box = own.width > 1 && own.height > 1 ? own : around.getBoundingClientRect();
  const points = [[0.5, 0.5], [0.05, 0.5], [0.95, 0.5], [0.5, 0.1], [0.5, 0.9]];
  const isHit = points.some(([x, y]) => {
    const hit = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
    return hit !== null && (around.contains(hit) || hit.contains(now));
  });
  if (!isHit) faults.push('is covered or out of sight: ' + nameOf(now));
  return faults;
})()`;
