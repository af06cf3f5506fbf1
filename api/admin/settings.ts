import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listStoredSettings } from '../../db/queries/settings.ts';
import { SETTING_KEYS, SETTINGS, settingsFrom } from '../../domain/settings.ts';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf, requireRole } from '../http/auth.ts';
import { ok } from '../http/envelope.ts';
import { readBody } from '../http/read.ts';
import { requestIdOf } from '../http/request-id.ts';

/** Of any type; domain/settings.ts knows which one each key takes. */
const putSchema = yup.object({ value: yup.mixed().required() });

export function settingRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  router.use(requireRole('ADMIN'));
  router.get('/', async (_req, res) => {
    ok(res, { items: await presentSettings(deps) });
  });
  router.put('/:key', async (req, res) => {
    const { key } = req.params;
    await deps.activities.putSetting({
      key,
      value: readBody(req, putSchema).value,
      operatorId: identityOf(req).id,
      requestId: requestIdOf(req),
    });
    const items = await presentSettings(deps);
    ok(
      res,
      items.find((item) => item.key === key),
    );
  });
  return router;
}

async function presentSettings(deps: ConsoleDeps) {
  const rows = await listStoredSettings(runner(deps.db));
  const values = settingsFrom(rows);
  const stored = new Map(rows.map((row) => [row.key, row]));
  return SETTING_KEYS.map((key) => ({
    key,
    value: values[key],
    default: SETTINGS[key].default,
    rule: SETTINGS[key].rule,
    updated_at: stored.get(key)?.updatedAt.toISOString() ?? null,
    updated_by: stored.get(key)?.updatedBy ?? null,
  }));
}
