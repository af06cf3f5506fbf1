import type * as yup from 'yup';
import type { TrackerRow } from '../../db/tables/tracker.ts';
import { scriptJson } from '../../domain/creative/escape.ts';
import { COUNT_MODES, TRACKER_TYPES } from '../../domain/tracker.ts';
import { OWNER_STATUSES } from '../../domain/lifecycle/review.ts';
import {
  address,
  flag,
  idOf,
  money,
  moving,
  oneOf,
  record,
  time,
  whole,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { presentRow } from '../http/wire.ts';

/** interface 2.7 */
export const trackerShape = record(
  {
    id: idOf(),
    version: moving(whole()),
    name: words(),
    type: oneOf(TRACKER_TYPES),
    event_type: words(),
    count_mode: oneOf(COUNT_MODES),
    require_sig: flag(),
    conversion_value: money(),
    attribution_window: whole(),
    validation_days: wholeOrNull(),
    postback_url: wordsOrNull(),
    pixel_code: wordsOrNull(),
    tracking_code: words(),
    status: oneOf(OWNER_STATUSES),
    created_at: time(),
    updated_at: moving(time()),
  },
  'Tracker',
);

export const presentTracker = (row: TrackerRow): yup.InferType<typeof trackerShape> =>
  presentRow(trackerShape, row, {});

/** Templates are no addresses yet: their braces are for the advertiser's system to fill. */
export const trackerCodeShape = record(
  {
    tracking_code: words(),
    pixel: words(),
    script: words(),
    conversion_url: words(),
    postback_url: words(),
    gif_url: address(),
  },
  'TrackerCode',
);

/** interface 4.7. In the addresses, `{click_id}` and its like are for the advertiser's system to fill; a page finds it itself. */
export function presentTrackerCode(
  row: TrackerRow,
  trackUrl: string,
): yup.InferType<typeof trackerCodeShape> {
  const code = row.trackingCode;
  const gifUrl = `${trackUrl}/track/conversion.gif?c=${code}`;
  return {
    tracking_code: code,
    pixel: pixelOf(gifUrl),
    script: scriptOf(gifUrl),
    conversion_url: `${trackUrl}/track/conversion?code=${code}&click_id={click_id}&value={value}`,
    postback_url: `${trackUrl}/track/postback?code=${code}&click_id={click_id}&value={value}&txid={txid}`,
    gif_url: gifUrl,
  };
}

/** A click_id in an address of a page: what a click adds to the landing page's. */
const IN_ADDRESS = String.raw`/[?&]click_?id=([\w-]{1,200})/`;

/**
 * For the page that thanks: reports the click_id of its own address, of the page before it, or what the
 * script below has kept. Without one it reports nothing that could be attributed.
 */
function pixelOf(gifUrl: string): string {
  return `<script>(function(u){var r=${IN_ADDRESS},m=r.exec(location.search)||r.exec(document.referrer);
try{m=m||[0,localStorage.getItem('adp_click_id')]}catch(e){m=null}
new Image().src=u+(m&&m[1]?'&click_id='+encodeURIComponent(m[1]):'')})(${scriptJson(gifUrl)})</script>`;
}

/**
 * For every page of the advertiser's site: keeps the click_id of the landing page, and
 * `adpConvert({value, txid})` on the page that thanks reports it.
 */
function scriptOf(gifUrl: string): string {
  return `<script>(function(w,u){var k='adp_click_id',m=${IN_ADDRESS}.exec(location.search);
try{if(m)localStorage.setItem(k,m[1]);m=m||[0,localStorage.getItem(k)]}catch(e){m=m||null}
w.adpConvert=function(o){o=o||{};var q='';if(m&&m[1])q+='&click_id='+encodeURIComponent(m[1]);
['value','txid','currency','event'].forEach(function(n){if(o[n]!=null)q+='&'+n+'='+encodeURIComponent(o[n])});
new Image().src=u+q}})(window,${scriptJson(gifUrl)})</script>`;
}
