import { type RequestHandler, Router } from 'express';
import * as yup from 'yup';
import { HTML5_ZIP_BYTES_MAX } from '../../activities/providers/html5-zip.ts';
import { IMAGE_BYTES_MAX } from '../../activities/providers/image-codec.ts';
import { VIDEO_BYTES_MAX } from '../../activities/providers/video-probe.ts';
import { runner } from '../../db/postgres.ts';
import { incomingFolder } from '../../db/files/media-store.ts';
import { findInventory, listInventory } from '../../db/queries/inventory.ts';
import { MEDIA } from '../../db/queries/inventory-screens.ts';
import { notFound } from '../../domain/errors.ts';
import { ASSET_SOURCES, ASSET_TYPES, type AssetType } from '../../domain/inventory.ts';
import { dayOf } from '../../domain/tracking/utc-day.ts';
import { MEDIA_SORTS, sortWords } from '../../db/queries/sorting.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addGenerators } from './ai.ts';
import { archived, pageOfItems } from '../http/response-shapes.ts';
import { day, text } from '../http/fields.ts';
import { likePattern, pageFields, pageOf, presentPage, sortField } from '../http/pagination.ts';
import { route } from '../http/route.ts';
import { withUploadedPath } from '../http/upload.ts';
import { signedAddresses } from '../media-addresses.ts';
import { ownMediaShape, presentOwnMedia } from '../present/media.ts';

const listQuery = yup.object({
  ...pageFields,
  ...sortField(sortWords(MEDIA_SORTS)),
  keyword: text(),
  type: yup.string().oneOf(ASSET_TYPES),
  source: yup.string().oneOf(ASSET_SOURCES),
  start_date: day(),
  end_date: day(),
});

export function mediaRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const { activities, config, db, clock } = deps;

  router.get(
    '/',
    route(
      {
        summary: 'List the media library',
        rule: 'interface 4.4, 2.1',
        query: listQuery,
        answer: pageOfItems(ownMediaShape),
      },
      async ({ query, caller }) => {
        const { keyword, type, source } = query;
        const page = pageOf(query);
        const { rows, total } = await listInventory(runner(db), MEDIA, {
          filter: {
            advertiserId: caller.id,
            pattern: keyword === undefined || keyword === '' ? undefined : likePattern(keyword),
            startDate: query.start_date,
            endDate: query.end_date,
            equals: { type, source },
          },
          slice: page,
          sort: query.sort,
          day: dayOf(clock().getTime()),
        });
        const addressOf = signedAddresses(config, clock());
        const items = rows.map((row) => presentOwnMedia(row, addressOf));
        return presentPage(items, total, page);
      },
    ),
  );

  addGenerators(router, deps);
  router.post('/upload', mediaUpload(deps, 'Upload an image, a video or an HTML5 creative', ALL));

  router.get(
    '/:id',
    route(
      { summary: 'Show an asset', rule: 'interface 4.4, 2.1', answer: ownMediaShape },
      async ({ id, caller }) => await readMedia(deps, { id, advertiserId: caller.id }),
    ),
  );

  router.delete(
    '/:id',
    route(
      {
        summary: 'Delete an asset that no live creative shows',
        rule: 'interface 4.4, 2.5',
        answer: archived(),
        refusals: ['state_conflict'],
      },
      async ({ id, caller }) => {
        await activities.archiveMedia({ id, advertiserId: caller.id });
        return { id, status: 'ARCHIVED' as const };
      },
    ),
  );
  return router;
}

async function readMedia(
  { config, db, clock }: ConsoleDeps,
  key: { id: number; advertiserId: number },
) {
  const today = dayOf(clock().getTime());
  const row = await findInventory(runner(db), MEDIA, { ...key, day: today });
  if (row === undefined) throw notFound();
  return presentOwnMedia(row, signedAddresses(config, clock()));
}

const ALL: readonly AssetType[] = ASSET_TYPES;
const BYTES_MAX: Readonly<Record<AssetType, number>> = {
  IMAGE: IMAGE_BYTES_MAX,
  VIDEO: VIDEO_BYTES_MAX,
  HTML5: HTML5_ZIP_BYTES_MAX,
};

/**
 * One file in the field `file`: 201 with the new asset, 200 with the one that these bytes already
 * are. Also behind `/creatives/upload` and `/creatives/upload-video`.
 */
export function mediaUpload(
  deps: ConsoleDeps,
  summary: string,
  types: readonly AssetType[],
): RequestHandler {
  const { activities, config } = deps;
  const bytesMax = Math.max(...types.map((type) => BYTES_MAX[type]));
  return route(
    {
      summary,
      rule: 'interface 4.4, 2.5',
      upload: { bytesMax, dir: incomingFolder(config.mediaDir) },
      answer: ownMediaShape,
      statuses: [200, 201],
    },
    async ({ req, res, caller }) => {
      const advertiserId = caller.id;
      const stored = await withUploadedPath(
        req,
        async (file) => await activities.storeUpload({ advertiserId, types, ...file }),
      );
      if (stored.created) res.status(201);
      return await readMedia(deps, { id: stored.id, advertiserId });
    },
  );
}
