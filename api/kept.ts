/**
 * What is read for anybody, for so long. One reading at a time, however many ask; one that failed is not kept.
 */
export function kept<Value>(
  { forMs, clock }: { forMs: number; clock: () => Date },
  read: () => Promise<Value>,
): () => Promise<Value> {
  let known: { until: number; value: Promise<Value> } | undefined;
  return async () => {
    const now = clock().getTime();
    if (known === undefined || known.until <= now) {
      const fresh = { until: now + forMs, value: read() };
      known = fresh;
      fresh.value.catch(() => {
        if (known === fresh) known = undefined;
      });
    }
    return await known.value;
  };
}
