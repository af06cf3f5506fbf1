import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { nearbyCounts } from '../../db/queries/conversions.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import type { ConversionRow } from '../../db/tables/conversion.ts';
import type { Settings } from '../../domain/settings.ts';
import { type ConversionFinding, findingsOf } from '../../domain/tracking/conversion-findings.ts';
import { parseUrl } from '../../domain/url.ts';
import { notify } from '../accounts/notifications.ts';
import type { ActivityDeps } from '../deps.ts';
import { registrableDomain } from '../publisher/site-domain.ts';
import { type Attributed, placed, write } from './conversion-moves.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Unsigned ones that would bill: PENDING until the window ends, or until a person decides. */
export async function holdConversions(
  deps: ActivityDeps,
  tx: Transaction,
  rows: readonly Attributed[],
  settings: Settings,
): Promise<void> {
  if (rows.length === 0) return;
  const sql = runner(deps.db, tx);
  const findings = await suspicionsOf(sql, rows, settings);
  const held = rows.map((row) => {
    const { conversion, click, tracker } = row;
    const found = findings.get(conversion.id) ?? [];
    const days = tracker?.validationDays ?? settings['conversion.validation_days'];
    return {
      ...placed({ ...row, reason: null }),
      priceNanos: click.bidPriceNanos.toString(),
      findings: found,
      ...(found.length > 0
        ? { dueAt: null, decideBy: decideBy(conversion, days, settings) }
        : { dueAt: after(conversion, days), decideBy: null }),
    };
  });
  await write(sql, 'hold', held);
  await notifyHeld(
    deps,
    tx,
    rows.filter(({ conversion }) => (findings.get(conversion.id) ?? []).length > 0),
  );
}

const after = ({ createdAt }: Pick<ConversionRow, 'createdAt'>, days: number): string =>
  new Date(createdAt.getTime() + days * DAY_MS).toISOString();

/** What is doubted is decided by a person, within a time that is named and never before its window. */
export const decideBy = (
  conversion: Pick<ConversionRow, 'createdAt'>,
  validationDays: number,
  settings: Settings,
): string => after(conversion, Math.max(validationDays, settings['conversion.decision_days']));

/** Findings of each, by its id. Those of one batch count beside each other. */
export async function suspicionsOf(
  sql: SqlRunner,
  rows: readonly Attributed[],
  settings: Settings,
): Promise<Map<number, ConversionFinding[]>> {
  const counts = await nearbyCounts(
    sql,
    rows.map(({ conversion, click }) => ({ ...conversion, publisherId: click.publisherId })),
  );
  const before = peersOf(rows);
  return new Map(
    rows.map(({ conversion, click, tracker }) => {
      const { reporter } = conversion;
      const nearby = counts.get(conversion.id) ?? { within: 1, ofClick: 0, ofPublisher: 0 };
      const suspicion = {
        reporter,
        click: click.traits ?? click.facts,
        isPublic:
          conversion.source === 'pixel' ||
          tracker === undefined ||
          tracker.type === 'PIXEL' ||
          tracker.type === 'JS',
        isLandingHost: isOfSite(reporter?.host ?? null, click.landingUrl),
        counts: {
          ...nearby,
          ofPublisher: nearby.ofPublisher + (before.get(conversion.id) ?? 0),
        },
      };
      return [conversion.id, findingsOf(suspicion, settings)];
    }),
  );
}

/** Of the same batch and publisher, in the hour before; the database does not know their publisher yet. */
function peersOf(rows: readonly Attributed[]): Map<number, number> {
  const fresh = rows.filter(({ conversion }) => conversion.publisherId === null);
  const seen = new Map<number | null, number[]>();
  const counts = new Map<number, number>();
  for (const { conversion, click } of fresh.toSorted((a, b) => a.conversion.id - b.conversion.id)) {
    const at = conversion.createdAt.getTime();
    const times = (seen.get(click.publisherId) ?? []).filter((each) => each > at - HOUR_MS);
    counts.set(conversion.id, times.length);
    seen.set(click.publisherId, [...times, at]);
  }
  return counts;
}

function isOfSite(host: string | null, landingUrl: string): boolean {
  const landing = parseUrl(landingUrl)?.hostname;
  if (host === null || landing === undefined) return false;
  const siteOf = (name: string): string => registrableDomain(name) ?? name;
  return siteOf(host) === siteOf(landing);
}

/** Once a day and tracker: a person must look, or nobody has. */
export async function notifyHeld(
  deps: ActivityDeps,
  tx: Transaction,
  rows: readonly Attributed[],
  kind: 'conversions_held' | 'conversions_undecided' = 'conversions_held',
): Promise<void> {
  const trackers = new Map(rows.flatMap(({ tracker }) => (tracker ? [[tracker.id, tracker]] : [])));
  const day = new Date().toISOString().slice(0, 10);
  for (const { id, advertiserId, name } of trackers.values()) {
    await notify(deps, tx, {
      accountId: advertiserId,
      kind,
      subject: { type: 'tracker', id },
      params: { name },
      dedupeKey: `${kind === 'conversions_held' ? 'held' : kind}:${id}:${day}`,
    });
  }
}
