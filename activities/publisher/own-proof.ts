import { runner } from '../../db/postgres.ts';
import { columnsOf, readRows, select } from '../../db/schema/selection.ts';
import { sites } from '../../db/tables/site.ts';
import type { VerifyMethod } from '../../domain/lifecycle/site.ts';
import type { ActivityDeps } from '../deps.ts';
import { type CoveringSite, lookForProof, type ProvenSite } from '../providers/site-proof.ts';
import { namesAbove } from './site-domain.ts';

const COVERING = select(columnsOf(sites, 's', ['domain', 'verifyToken']));

/** Looks for a site's own proof, or by DNS for that of a domain above it that its account has verified so. */
export async function lookForOwnProof(
  deps: ActivityDeps,
  site: ProvenSite,
  method: VerifyMethod,
): Promise<string> {
  const above = method === 'DNS' ? await covering(deps, site) : [];
  return await lookForProof(deps.providers.outbound, site, { method, above });
}

async function covering(
  deps: ActivityDeps,
  { publisherId, mediaType, domain }: ProvenSite,
): Promise<CoveringSite[]> {
  const names = mediaType === 'WEB' && domain !== null ? namesAbove(domain) : [];
  if (names.length === 0) return [];
  const rows = await readRows(
    runner(deps.db),
    COVERING,
    `SELECT ${COVERING.list} FROM sites s WHERE s.publisher_id = $1 AND lower(s.domain) = ANY($2::text[])
       AND s.media_type = 'WEB' AND s.status <> 'ARCHIVED' AND s.verify_status = 'VERIFIED' AND s.verify_method = 'DNS'
     ORDER BY s.id`,
    [publisherId, names],
  );
  return rows.flatMap(({ domain: name, verifyToken }) =>
    name === null ? [] : [{ domain: name, verifyToken }],
  );
}
