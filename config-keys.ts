/** Keys that can be rotated: the id is stored beside what a key has sealed. */
export interface KeyRingEntry {
  id: number;
  secret: Buffer;
}

export const list = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** `id:hex,id:hex`; what is no key is added to the faults. */
export function parseKeys(name: string, text: string, faults: string[]): KeyRingEntry[] {
  return list(text).flatMap((item) => {
    const match = /^(\d{1,2}):([0-9a-f]{64})$/i.exec(item);
    if (match === null || Number(match[1]) > 15) {
      faults.push(`${name}: each item is id(0-15):64 hex digits`);
      return [];
    }
    return [{ id: Number(match[1]), secret: Buffer.from(match[2] ?? '', 'hex') }];
  });
}
