import { Router } from 'express';
import * as yup from 'yup';
import { CREATIVE_REVISIONS } from '../../db/queries/creative-revisions.ts';
import { CREATIVES, type CreativeScreenRow } from '../../db/queries/inventory-screens.ts';
import { CREATIVE_CONTENT, type CreativeContentPatch } from '../../db/tables/creative-revision.ts';
import { CREATIVE_TYPES, DISPLAY_TYPES, displayTypeOf } from '../../domain/inventory.ts';
import { NAMED_SORTS } from '../../db/queries/sorting.ts';
import type { ConsoleDeps } from '../deps.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import { code, id, name, webUrl } from '../http/fields.ts';
import { route } from '../http/route.ts';
import { columnsFrom } from '../http/wire.ts';
import {
  creativeRevisionShape,
  creativeShape,
  presentCreative,
  presentCreativeRevision,
} from '../present/creative.ts';
import { figureSortFields } from '../reports/figure-order.ts';
import { signedAddresses } from '../media-addresses.ts';
import { mediaUpload } from './media.ts';
import {
  draftField,
  type InventoryKind,
  keyOf,
  lifecycleRoutes,
  listFields,
  readList,
  readRecord,
} from './lifecycle-routes.ts';
import { revisionRoutes } from './revision-routes.ts';
import { emptyToNull } from './targeting-fields.ts';
import { parseUrl } from '../../domain/url.ts';
import { readVast, VAST_CHARS_MAX } from '../../activities/providers/vast-source.ts';

/** Below the body limit of 256 KiB, with room for JSON's escapes. */
const CODE_LENGTH_MAX = 100_000;
const SIDE_MAX = 10_000;

const hostsOf = (urls: object): string[] => [
  ...new Set(Object.values(urls).map((url: string) => new URL(url).host)),
];

/** interface 2.5: an advertiser names assets by media id; an address must be our own. */
const ownUrl = (ownHosts: readonly string[], instead: string) =>
  webUrl()
    .nullable()
    .test('external_url', `must be an address of ${ownHosts.join(' or ')}: ${instead}`, (value) => {
      const url = parseUrl(value ?? '');
      return url === null || ownHosts.includes(url.host);
    });

/** Where a click leads, unless the ad says where; a click that leads to another one would bill twice. */
const clickUrl = (ownHosts: readonly string[]) =>
  ownUrl(ownHosts, 'the landing_url of its ads may lead elsewhere').test(
    'tracking_url',
    'must not be a tracking address',
    (value) => {
      const url = parseUrl(value ?? '');
      return url === null || !url.pathname.toLowerCase().startsWith('/track/');
    },
  );

/** What no player could be given is refused when it is saved, with the reason. */
const vastDocument = () =>
  yup
    .string()
    .nullable()
    .test('vast', 'must be a VAST document', (value, context) => {
      if (value === undefined || value === null || value === '') return true;
      const reading = readVast(value);
      return reading.ok ? true : context.createError({ message: reading.reason });
    })
    .meta({ kind: 'word', schema: { maxLength: VAST_CHARS_MAX } });
const side = () => yup.number().integer().min(1).max(SIDE_MAX).nullable();

const contentFields = (ownHosts: readonly string[]) => ({
  name: name(),
  size_id: id().nullable(),
  width: side(),
  height: side(),
  image_media_id: id().nullable(),
  image_media_id_2: id().nullable(),
  video_media_id: id().nullable(),
  icon_media_id: id().nullable(),
  html5_media_id: id().nullable(),
  html_code: code(CODE_LENGTH_MAX).nullable(),
  vast_xml: vastDocument(),
  vast_url: ownUrl(ownHosts, 'a VAST document of elsewhere is given in vast_xml'),
  click_url: clickUrl(ownHosts),
});
const createRules = (fields: ReturnType<typeof contentFields>) =>
  yup.object({
    ...fields,
    name: name().required(),
    creative_type: yup.string().oneOf(CREATIVE_TYPES),
    type: yup.string().oneOf(DISPLAY_TYPES),
    ...draftField,
  });
const updateRules = (fields: ReturnType<typeof contentFields>) => yup.object(fields);
const listQuery = yup.object({
  ...listFields,
  ...figureSortFields('advertiser', NAMED_SORTS),
  type: yup.string().oneOf(DISPLAY_TYPES),
  creative_type: yup.string().oneOf(CREATIVE_TYPES),
});

export function creativeRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const { activities, config } = deps;
  const kind: InventoryKind<CreativeScreenRow, typeof creativeShape> = {
    type: 'creative',
    called: 'a creative',
    rule: 'interface 4.4',
    shape: creativeShape,
    screen: CREATIVES,
    present: (row) => presentCreative(row, signedAddresses(config, deps.clock())),
  };
  const fields = contentFields(hostsOf(config.urls));
  const createBody = createRules(fields);
  const updateBody = updateRules(fields);

  router.get(
    '/',
    route(
      {
        summary: 'List creatives',
        rule: 'interface 4.4, 2.5',
        query: listQuery,
        answer: pageOfItems(creativeShape),
      },
      async ({ query, caller }) => {
        const equals = { type: query.type, creativeType: query.creative_type };
        return await readList(deps, kind, { advertiserId: caller.id, query, equals });
      },
    ),
  );

  router.post(
    '/',
    route(
      {
        summary: 'Create a creative; with its source it enters review',
        rule: 'interface 4.4, 2.5',
        body: createBody,
        answer: creativeShape,
        statuses: [201],
      },
      async ({ body, caller }) => {
        const advertiserId = caller.id;
        const creativeType = body.creative_type ?? 'image';
        const id = await activities.createCreative({
          advertiserId,
          name: body.name,
          creativeType,
          type: body.type ?? displayTypeOf(creativeType),
          content: contentOf(body),
          saveAsDraft: body.save_as_draft ?? false,
        });
        return await readRecord(deps, kind, { id, advertiserId });
      },
    ),
  );

  router.put(
    '/:id',
    route(
      {
        summary: 'Update a creative',
        rule: 'interface 4.4, 2.5',
        body: updateBody,
        answer: creativeShape,
        updates: true,
        current: async (ask) => await readRecord(deps, kind, keyOf(ask, 'creative')),
      },
      async (ask) => {
        const key = keyOf(ask, 'creative');
        const { body } = ask;
        await activities.updateCreative(key, { name: body.name, content: contentOf(body) });
        return await readRecord(deps, kind, key);
      },
    ),
  );

  router.post('/upload', mediaUpload(deps, 'Upload an image', ['IMAGE']));
  router.post('/upload-video', mediaUpload(deps, 'Upload a video', ['VIDEO']));
  router.use(creativeRevisions(deps));
  router.use(lifecycleRoutes(deps, kind));
  return router;
}

const creativeRevisions = (deps: ConsoleDeps): Router =>
  revisionRoutes(deps, {
    summary: 'List the revisions of a creative',
    rule: 'interface 4.4, 2.5',
    screen: CREATIVE_REVISIONS,
    shape: creativeRevisionShape,
    present: (row) => presentCreativeRevision(row, signedAddresses(deps.config, deps.clock())),
  });

function contentOf(body: yup.InferType<ReturnType<typeof updateRules>>): CreativeContentPatch {
  const { name: _name, ...content } = body;
  return {
    ...columnsFrom(content, CREATIVE_CONTENT),
    // Blanks show nothing, and what shows nothing is no source.
    htmlCode: emptyToNull(body.html_code?.trim() === '' ? '' : body.html_code),
    vastXml: emptyToNull(body.vast_xml),
    vastUrl: emptyToNull(body.vast_url),
    clickUrl: emptyToNull(body.click_url),
  };
}
