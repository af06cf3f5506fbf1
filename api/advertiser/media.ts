import { type RequestHandler, Router } from 'express';
import * as yup from 'yup';
import { IMAGE_BYTES_MAX } from '../../activities/providers/image-codec.ts';
import { runner } from '../../db/postgres.ts';
import { findInventory, listInventory } from '../../db/queries/inventory.ts';
import { MEDIA, type MediaRow } from '../../db/queries/inventory-rows.ts';
import { notFound } from '../../domain/errors.ts';
import { deliveryMoment } from '../../domain/lifecycle/delivery.ts';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf } from '../http/auth.ts';
import { created, ok } from '../http/envelope.ts';
import { text } from '../http/fields.ts';
import { likePattern, pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { readQuery } from '../http/read.ts';
import { readUpload, uploadOf } from '../http/upload.ts';
import { presentMedia } from '../present/media.ts';

const listQuery = yup.object({
  ...pageFields,
  keyword: text(),
  type: yup.string().oneOf(['IMAGE', 'VIDEO', 'HTML5']),
});

export function mediaRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const { config, db, clock } = deps;

  router.get('/', async (req, res) => {
    const query = readQuery(req, listQuery);
    const page = pageOf(query);
    const { keyword, type } = query;
    const pattern = keyword === undefined || keyword === '' ? undefined : likePattern(keyword);
    const filter = { advertiserId: identityOf(req).id, pattern, equals: { type } };
    const { day } = deliveryMoment(clock());
    const { rows, total } = await listInventory<MediaRow>(runner(db), MEDIA, {
      filter,
      slice: page,
      day,
    });
    const items = rows.map((row) => presentMedia(row, config.urls.cdn));
    ok(res, presentPage(items, total, page));
  });

  router.post('/upload', ...imageUpload(deps));
  return router;
}

/**
 * One image in the field `file`: 201 with the new asset, 200 with the one that these bytes already
 * are. Also behind `/creatives/upload`.
 */
export function imageUpload({ activities, config, db, clock }: ConsoleDeps): RequestHandler[] {
  const store: RequestHandler = async (req, res) => {
    const advertiserId = identityOf(req).id;
    const { bytes, name } = uploadOf(req);
    const stored = await activities.storeImage({ advertiserId, bytes, name });
    const row = await findInventory<MediaRow>(runner(db), MEDIA, {
      id: stored.id,
      advertiserId,
      day: deliveryMoment(clock()).day,
    });
    if (row === undefined) throw notFound();
    const answer = stored.created ? created : ok;
    answer(res, presentMedia(row, config.urls.cdn));
  };
  return [readUpload({ bytesMax: IMAGE_BYTES_MAX }), store];
}
