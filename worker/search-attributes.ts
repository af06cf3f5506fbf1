import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../workflows/contracts/search-attributes.ts';

/** temporal.api.enums.v1.IndexedValueType */
const TYPES = { KEYWORD: 2, INT: 3, BOOL: 5, DATETIME: 6 } as const;

/**
 * Makes the namespace know the attributes that flows are listed by; those that it has stay. Raises
 * what the server says: on a cluster where the platform may not do it, an operator does
 * (docs/durable-execution.md).
 */
export async function registerSearchAttributes(
  connection: Pick<Connection, 'operatorService'>,
  namespace: string,
): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(SEARCH_ATTRIBUTES).filter(
    ([name]) => customAttributes?.[name] === undefined,
  );
  if (missing.length === 0) return;
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map(([name, type]) => [name, TYPES[type]])),
  });
}
