/** No body of ours needs more than four; beyond some thousands, code that walks it dies. */
const JSON_DEPTH_MAX = 32;

/** Whether parsed JSON is nested deeper than anything that is sent honestly. */
export const isTooDeep = (value: unknown): boolean => isDeeper(value, JSON_DEPTH_MAX);

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
