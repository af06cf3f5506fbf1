/** A click that nobody made, to try a tracker with (interface 4.7). */
const TEST_CLICK = /^test_[0-9a-f]{32}$/;
export const TEST_CLICK_LIVES_MS = 3_600_000;

/** `hex`: 32 digits. */
export const testClickId = (hex: string): string => `test_${hex}`;

export const isTestClick = (clickId: string | undefined): clickId is string =>
  clickId !== undefined && TEST_CLICK.test(clickId);

/** What we made of a report, as an answer shows it. */
export interface TestReport {
  /** False in legacy mode: the report named the click alone. */
  has_code: boolean;
  is_signed: boolean;
  /** In units of `currency`; the tracker's own where the report has none. */
  value: number;
  currency: string;
  event: string;
  transaction_id: string | null;
}

/** Says in the address itself that nothing happened. */
export function markTestUrl(url: string): string {
  const marked = new URL(url);
  marked.hash = '';
  const query = marked.search.replace(/^\?/, '');
  marked.search = query === '' ? 'test=1' : `${query}&test=1`;
  return marked.toString();
}
