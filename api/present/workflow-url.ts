import { SAVED_QUERIES, type SavedQuery } from '../../workflows/contracts/search-attributes.ts';

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

export const QUERY_NAMES = Object.keys(SAVED_QUERIES) as SavedQuery[];

/** The lists that operators ask for daily, as links; none when there is no such page. */
export const queryUrls = (
  { uiUrl, namespace }: TemporalLinks,
  now: Date,
): { name: SavedQuery; url: string }[] =>
  uiUrl === null
    ? []
    : QUERY_NAMES.map((name) => {
        const query = SAVED_QUERIES[name].replace('{now}', now.toISOString());
        const url = `${uiUrl}/namespaces/${namespace}/workflows?query=${encodeURIComponent(query)}`;
        return { name, url };
      });
