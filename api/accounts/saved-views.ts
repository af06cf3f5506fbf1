import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listSavedViews } from '../../db/queries/saved-views.ts';
import { notFound } from '../../domain/errors.ts';
import { VIEW_BYTES_MAX } from '../../domain/person.ts';
import type { ConsoleDeps } from '../deps.ts';
import { type Identity, personOf } from '../http/auth.ts';
import { name } from '../http/fields.ts';
import { listOf, nothing, record } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { presentSavedView, savedViewShape } from '../present/saved-view.ts';

/** As a console calls its page: `campaigns`, `site-report`. */
const page = () =>
  yup
    .string()
    .matches(/^[a-z][a-z0-9-]{0,49}$/, 'must be lower case letters, digits and hyphens')
    .meta({ kind: 'word' });

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the console needs to show the page again; its own words, which we only keep. */
const state = () =>
  yup
    .mixed<Record<string, unknown>>()
    .test('type', 'must be an object', (value) => value === undefined || isObject(value))
    .test(
      'max',
      `must be at most ${VIEW_BYTES_MAX} bytes of JSON`,
      (value) => value === undefined || Buffer.byteLength(JSON.stringify(value)) <= VIEW_BYTES_MAX,
    )
    .meta({ kind: 'map', schema: { type: 'object' } });

const updateFields = {
  name: name(),
  state: state(),
  is_default: yup.boolean(),
  is_shared: yup.boolean(),
};
const updateBody = yup.object(updateFields);
const createBody = yup.object({
  ...updateFields,
  page: page().required(),
  name: name().required(),
  state: state().required(),
});
const listQuery = yup.object({ page: page() });

const about = { rule: 'interface 5.10', roles: 'everyone' } as const;

/** Whose views are shared with one; operators share with each other. */
const accountOf = ({ realm, id }: Identity): number | null => (realm === 'admin' ? null : id);

const finder =
  ({ db }: ConsoleDeps) =>
  async (caller: Identity, id: number) => {
    const [view] = await listSavedViews(runner(db), personOf(caller), {
      id,
      accountId: accountOf(caller),
    });
    return view?.isOwn === true ? presentSavedView(view) : undefined;
  };

function found<View>(view: View | undefined): View {
  if (view === undefined) throw notFound();
  return view;
}

const fieldsOf = ({
  is_default: isDefault,
  is_shared: isShared,
  name: given,
  ...fields
}: yup.InferType<typeof updateBody>) => ({
  ...fields,
  name: given?.trim(),
  isDefault,
  isShared,
});

/** `/saved-views` of every realm: one's own, whatever one's role, and to read what others share. */
export function savedViewRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);

  const find = finder(deps);
  const show = async (caller: Identity, id: number) => found(await find(caller, id));

  router.get(
    '/',
    route(
      {
        ...about,
        summary: 'List your saved views, and those shared with you, by page and name',
        query: listQuery,
        answer: record({ items: listOf(savedViewShape) }),
      },
      async ({ query, caller }) => {
        const views = await listSavedViews(sql, personOf(caller), {
          page: query.page,
          accountId: accountOf(caller),
        });
        return { items: views.map(presentSavedView) };
      },
    ),
  );

  router.post(
    '/',
    route(
      {
        ...about,
        summary: 'Save a view of a page; as default it takes the place of the one before',
        body: createBody,
        answer: savedViewShape,
        statuses: [201],
        refusals: ['already_claimed'],
      },
      async ({ body, caller }) => {
        const { id } = await deps.activities.addSavedView({
          ...personOf(caller),
          page: body.page,
          name: body.name.trim(),
          state: body.state,
          isDefault: body.is_default ?? false,
          isShared: body.is_shared ?? false,
        });
        return await show(caller, id);
      },
    ),
  );

  router.put(
    '/:id',
    route(
      {
        ...about,
        summary: 'Update a saved view',
        body: updateBody,
        answer: savedViewShape,
        updates: true,
        // What is not one's own is refused by the handler, after the body.
        current: async ({ id, caller }) => await find(caller, id),
        refusals: ['already_claimed'],
      },
      async ({ id, body, caller, ifMatch }) => {
        await deps.activities.updateSavedView({ ...personOf(caller), id, ifMatch }, fieldsOf(body));
        return await show(caller, id);
      },
    ),
  );

  router.delete(
    '/:id',
    route(
      { ...about, summary: 'Delete a saved view', answer: nothing(), updates: true },
      async ({ id, caller, ifMatch }) => {
        await deps.activities.deleteSavedView({ ...personOf(caller), id, ifMatch });
        return {};
      },
    ),
  );

  return router;
}
