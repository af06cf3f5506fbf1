/** SQLSTATE of a driver error, also when a model has wrapped it; undefined for a network fault or a timeout. */
export function sqlStateOf(error: unknown): string | undefined {
  const wrapped = error as { code?: unknown; original?: { code?: unknown } } | null | undefined;
  const code = wrapped?.original?.code ?? wrapped?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
