import type { RequestHandler } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listHeldConversions, WAITS } from '../../db/queries/held-conversions.ts';
import { CONVERSION_FINDINGS } from '../../domain/tracking/conversion-findings.ts';
import type { ConsoleDeps } from '../deps.ts';
import { id } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { heldConversionShape, presentHeldConversion } from '../present/conversion.ts';

const query = yup.object({
  ...pageFields,
  waits: yup.string().oneOf(WAITS),
  finding: yup.string().oneOf(CONVERSION_FINDINGS),
  advertiser_id: id(),
  publisher_id: id(),
});

/** interface 4.14, 5.2: what waits for its advertiser, and why; it is theirs to decide. */
export const heldConversionsRoute = (deps: ConsoleDeps): RequestHandler =>
  route(
    {
      summary: 'List held conversions of everybody, those that wait longest first',
      rule: 'interface 5.2, 4.14',
      roles: ['SUPPORT', 'FINANCE'],
      query,
      answer: pageOfItems(heldConversionShape),
    },
    async (ask) => {
      const page = pageOf(ask.query);
      const { items, total } = await listHeldConversions(runner(deps.db), {
        waits: ask.query.waits,
        finding: ask.query.finding,
        advertiserId: ask.query.advertiser_id,
        publisherId: ask.query.publisher_id,
        limit: page.limit,
        offset: page.offset,
      });
      return presentPage(items.map(presentHeldConversion), total, page);
    },
  );
