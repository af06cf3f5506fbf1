import { type Response, Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listWebhookDeliveries, listWebhooks } from '../../db/queries/webhooks.ts';
import { notFound } from '../../domain/errors.ts';
import { DELIVERY_STATUSES } from '../../domain/lifecycle/webhook.ts';
import { kindsOf, type Tenant } from '../../domain/notifications.ts';
import { WEBHOOK_URL_CHARS_MAX } from '../../domain/webhook.ts';
import type { ConsoleDeps } from '../deps.ts';
import { calledUrl } from '../http/called-url.ts';

import { keepNoAnswer } from '../http/idempotency.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { readId } from '../http/read.ts';
import { nothing, pageOfItems } from '../http/response-shapes.ts';
import { type Ask, route } from '../http/route.ts';
import {
  presentWebhook,
  presentWebhookDelivery,
  webhookDeliveryShape,
  webhookShape,
  webhooksShape,
  webhookWithSecretShape,
} from '../present/webhook.ts';

const rule = 'interface 5.11';
/** Whoever says where an account's news go is who may let people in. */
const writes = { rule, roles: [] } as const;

/** In production what is told travels sealed. */
const url = ({ httpsOnly }: { httpsOnly: boolean }) =>
  calledUrl()
    .max(WEBHOOK_URL_CHARS_MAX)
    .test('not_https', 'must be an https address', (value) => !httpsOnly || isHttps(value));

const isHttps = (value: string | undefined): boolean =>
  value === undefined || value.toLowerCase().startsWith('https:');

const kinds = (tenant: Tenant) => {
  const all = kindsOf(tenant);
  return yup.array().of(yup.string().oneOf(all).required()).min(1).max(all.length);
};

const listQuery = yup.object({ ...pageFields, status: yup.string().oneOf(DELIVERY_STATUSES) });

/** interface 5.11. `/webhooks` of the advertisers' and the publishers' realm. */
export function webhookRoutes(deps: ConsoleDeps, tenant: Tenant): Router {
  const router = Router();
  addRecords(router, deps, tenant);
  addChanges(router, deps, tenant);
  addSecret(router, deps);
  addDeliveries(router, deps);
  return router;
}

type Asked = Pick<Ask<unknown, unknown>, 'id' | 'caller'>;
const keyOf = ({ id, caller }: Asked) => ({ id, accountId: caller.id });

async function show({ db }: ConsoleDeps, ask: Asked) {
  const [webhook] = await listWebhooks(runner(db), keyOf(ask));
  if (webhook === undefined) throw notFound();
  return presentWebhook(webhook);
}

const rulesOf = ({ config }: ConsoleDeps) => ({ httpsOnly: config.env === 'production' });

async function withSecret(deps: ConsoleDeps, ask: Asked & { res: Response }) {
  keepNoAnswer(ask.res);
  const secret = await deps.activities.showWebhookSecret(keyOf(ask));
  return { ...(await show(deps, ask)), secret };
}

function addRecords(router: Router, deps: ConsoleDeps, tenant: Tenant): void {
  router.get(
    '/',
    route(
      { summary: 'List the servers that are told your news', rule, answer: webhooksShape },
      async ({ caller }) => {
        const webhooks = await listWebhooks(runner(deps.db), { accountId: caller.id });
        return { items: webhooks.map(presentWebhook) };
      },
    ),
  );

  router.post(
    '/',
    route(
      {
        ...writes,
        summary: 'Have a server told of kinds of news; its secret is shown this once',
        body: yup.object({
          url: url(rulesOf(deps)).required(),
          kinds: kinds(tenant).required(),
        }),
        answer: webhookWithSecretShape,
        statuses: [201],
        refusals: ['state_conflict'],
      },
      async ({ body, caller, res }) => {
        const { id } = await deps.activities.addWebhook({ ...body, accountId: caller.id });
        return await withSecret(deps, { id, caller, res });
      },
    ),
  );

  router.get(
    '/:id',
    route(
      { summary: 'Show a webhook', rule, answer: webhookShape },
      async (ask) => await show(deps, ask),
    ),
  );
}

function addChanges(router: Router, deps: ConsoleDeps, tenant: Tenant): void {
  router.put(
    '/:id',
    route(
      {
        ...writes,
        summary: 'Change where and of what a webhook is told, pause or resume it',
        body: yup.object({
          url: url(rulesOf(deps)),
          kinds: kinds(tenant),
          status: yup.string().oneOf(['ACTIVE', 'PAUSED'] as const),
        }),
        answer: webhookShape,
        updates: true,
        current: async (ask) => await show(deps, ask),
      },
      async (ask) => {
        await deps.activities.updateWebhook({ ...keyOf(ask), ifMatch: ask.ifMatch }, ask.body);
        return await show(deps, ask);
      },
    ),
  );

  router.delete(
    '/:id',
    route(
      {
        ...writes,
        summary: 'Delete a webhook with its log and what waits to be sent',
        answer: nothing(),
        updates: true,
      },
      async (ask) => {
        await deps.activities.deleteWebhook({ ...keyOf(ask), ifMatch: ask.ifMatch });
        return {};
      },
    ),
  );
}

function addSecret(router: Router, deps: ConsoleDeps): void {
  router.post(
    '/:id/rotate-secret',
    route(
      {
        ...writes,
        summary: 'Make a new secret, shown this once; the one before signs as well for a day',
        answer: webhookWithSecretShape,
      },
      async (ask) => {
        await deps.activities.rotateWebhookSecret(keyOf(ask));
        return await withSecret(deps, ask);
      },
    ),
  );
}

function addDeliveries(router: Router, deps: ConsoleDeps): void {
  const sql = runner(deps.db);
  const one = async (ask: Asked, id: number) => {
    const key = { endpointId: ask.id, accountId: ask.caller.id };
    const { rows } = await listWebhookDeliveries(sql, { ...key, id, limit: 1, offset: 0 });
    const [delivery] = rows;
    if (delivery === undefined) throw notFound();
    return presentWebhookDelivery(delivery);
  };

  router.post(
    '/:id/test',
    route(
      {
        ...writes,
        summary: 'Call a webhook once with a test, whatever it is told of',
        answer: webhookDeliveryShape,
        statuses: [201],
      },
      async (ask) => {
        const { deliveryId } = await deps.activities.testWebhook(keyOf(ask));
        return await one(ask, deliveryId);
      },
    ),
  );

  router.get(
    '/:id/deliveries',
    route(
      {
        summary: 'List what a webhook was told, newest first, and how it answered',
        rule,
        query: listQuery,
        answer: pageOfItems(webhookDeliveryShape),
      },
      async (ask) => {
        await show(deps, ask);
        const page = pageOf(ask.query);
        const key = { endpointId: ask.id, accountId: ask.caller.id };
        const { status } = ask.query;
        const { rows, total } = await listWebhookDeliveries(sql, { ...key, status, ...page });
        return presentPage(rows.map(presentWebhookDelivery), total, page);
      },
    ),
  );

  router.post(
    '/:id/deliveries/:delivery_id/resend',
    route(
      {
        ...writes,
        summary: 'Tell a webhook the same again, under the same webhook-id',
        answer: webhookDeliveryShape,
        refusals: ['state_conflict'],
      },
      async (ask) => {
        const id = readId(ask.req, 'delivery_id');
        const key = { id, endpointId: ask.id, accountId: ask.caller.id };
        await deps.activities.resendWebhook(key);
        return await one(ask, id);
      },
    ),
  );
}
