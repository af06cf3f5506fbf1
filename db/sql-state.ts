/** SQLSTATE of the plain driver's error; undefined for a network fault or a timeout. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string')
    return undefined;
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}
