/**
 * What is made of a key, kept while it is asked for. Two generations: what is used moves to the young
 * one, and when that is full the old one goes. A bounded cache whose hit is one look-up; keeping strict
 * order costs a delete and an insert each.
 */
export function cached<Value>(
  entriesMax: number,
  make: (key: string) => Value,
): (key: string) => Value {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  return (key) => {
    const known = young.get(key);
    if (known !== undefined) return known;
    const value = old.get(key) ?? make(key);
    if (young.size >= entriesMax / 2) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
    return value;
  };
}
