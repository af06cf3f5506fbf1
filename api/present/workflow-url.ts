/** Where operators look at flows; null when there is no such page. */
export interface TemporalLinks {
  uiUrl: string | null;
  namespace: string;
}

export const workflowUrl = (
  { uiUrl, namespace }: TemporalLinks,
  workflowId: string,
): string | null =>
  uiUrl === null
    ? null
    : `${uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`;
