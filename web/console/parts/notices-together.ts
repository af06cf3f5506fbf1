import type { NotificationParams } from '../../../domain/notifications.ts';

/** As much of a notice as says what it stands beside. */
export interface Told {
  kind: string;
  subject: { type: string } | null;
  params: object;
  created_at: string;
  read_at: string | null;
}

/** One line of the inbox; `parts` are the notices that it stands for, when it is more than one. */
export type Line<Row> = Row & { parts?: readonly Row[] };

const TOGETHER_MS = 3_600_000;

/** The campaign that an approval is of; other news stand alone. */
export function approvedOf({ kind, params }: Told): { id: number; name: string } | undefined {
  const { decision, campaign } = params as NotificationParams;
  return kind === 'review_decided' && decision === 'approved' ? campaign : undefined;
}

/** A launch is several reviews, approved one by one: of what a page of the inbox has, one line for each launch. */
export function together<Row extends Told>(rows: readonly Row[]): Line<Row>[] {
  const lines: Line<Row>[] = [];
  for (const row of rows) {
    const campaign = approvedOf(row);
    const at = lines.findIndex(
      (line) =>
        campaign !== undefined &&
        approvedOf(line)?.id === campaign.id &&
        (line.read_at === null) === (row.read_at === null) &&
        Date.parse(line.created_at) - Date.parse(row.created_at) <= TOGETHER_MS,
    );
    const line = lines[at];
    if (line === undefined) lines.push(row);
    else lines[at] = { ...line, parts: [...(line.parts ?? [line]), row] };
  }
  return lines;
}

/** How many campaigns, ad groups and ads a line stands for. */
export function countsOf(parts: readonly Told[]): { campaign: number; group: number; ad: number } {
  const count = (type: string): number =>
    parts.filter(({ subject }) => subject?.type === type).length;
  return { campaign: count('campaign'), group: count('adgroup'), ad: count('ad') };
}
