import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listStoredSettings } from '../../db/queries/settings.ts';
import { governsMoney } from '../../domain/approvals.ts';
import { notFound } from '../../domain/errors.ts';
import { SETTING_KEYS, SETTINGS, settingsFrom } from '../../domain/settings.ts';
import type { ConsoleDeps } from '../deps.ts';
import {
  flag,
  idOrNullOf,
  listOf,
  moving,
  oneOf,
  record,
  timeOrNull,
  whole,
  words,
} from '../http/response-shapes.ts';
import { requestIdOf } from '../http/request-id.ts';
import { goesOn, route } from '../http/route.ts';

/** Of any type; domain/settings.ts knows which one each key takes. */
const putBody = yup.object({ value: yup.mixed().required() });

/** A number, true or false, or a word. */
const settingValue = () => yup.mixed<string | number | boolean>().defined();

const settingShape = record(
  {
    key: oneOf(SETTING_KEYS),
    value: settingValue(),
    default: settingValue(),
    rule: words(),
    /** Takes effect when a second person has approved it (5.19). */
    governs_money: flag(),
    /** 0 while nobody has set it. */
    version: moving(whole().min(0)),
    updated_at: moving(timeOrNull()),
    updated_by: moving(idOrNullOf()),
  },
  'Setting',
);

const rule = 'interface 5.2';

/** interface 5.2: typed, validated, audited; serving picks them up within a second. */
export function settingRoutes(deps: ConsoleDeps): Router {
  const router = Router();

  router.get(
    '/',
    route(
      {
        summary: 'List every setting with its default',
        rule,
        roles: [],
        answer: record({ items: listOf(settingShape) }),
      },
      async () => ({ items: await presentSettings(deps) }),
    ),
  );

  router.put(
    '/:key',
    route(
      {
        summary: 'Set one setting; 202 when another operator must approve it first',
        rule,
        roles: [],
        body: putBody,
        answer: settingShape,
        updates: true,
        statuses: [200, 202],
        current: async ({ req }) => await presentSetting(deps, String(req.params['key'])),
      },
      async ({ body, caller, ifMatch, req, res }) => {
        const key = String(req.params['key']);
        const { approvalId } = await deps.activities.putSetting({
          key,
          value: body.value,
          ifMatch,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        if (approvalId !== null) goesOn(res, `/api/admin/approvals/${approvalId}`);
        return await presentSetting(deps, key);
      },
    ),
  );
  return router;
}

async function presentSetting(deps: ConsoleDeps, key: string) {
  const setting = (await presentSettings(deps)).find((item) => item.key === key);
  if (setting === undefined) throw notFound();
  return setting;
}

async function presentSettings(deps: ConsoleDeps): Promise<yup.InferType<typeof settingShape>[]> {
  const rows = await listStoredSettings(runner(deps.db));
  const values = settingsFrom(rows);
  const stored = new Map(rows.map((row) => [row.key, row]));
  return SETTING_KEYS.map((key) => ({
    key,
    value: values[key],
    default: SETTINGS[key].default,
    rule: SETTINGS[key].rule,
    governs_money: governsMoney(key),
    version: stored.get(key)?.version ?? 0,
    updated_at: stored.get(key)?.updatedAt.toISOString() ?? null,
    updated_by: stored.get(key)?.updatedBy ?? null,
  }));
}
