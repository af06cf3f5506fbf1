import { appealed, approved, decide, idOf, OLD_DOMAIN, SITE_DOMAIN, type World } from './world.ts';
import { until } from '../until.ts';

const at = '/api/publisher';

/** Sites and zones, from the first declaration to the code in a page. */
export async function walkPublisher(world: World): Promise<void> {
  const { walk } = world;
  await walk.step('site', () => site(world));
  await walk.step('zones', () => zones(world));
  await walk.step('zone routes', () => zoneRoutes(world));
  await walk.step('removal appeal', () => removalAppeal(world));
  await walk.step('history', async () => {
    const query = { subject_type: 'zone', page_size: 3 };
    await walk.ask(`GET ${at}/history`, { token: world.tokens.publisher, query });
  });
  await walk.step('notifications', async () => {
    const token = world.tokens.publisher;
    const { items } = await walk.ask<{ items: { id: number }[] }>(`GET ${at}/notifications`, {
      token,
      query: { status: 'unread', page_size: 3 },
    });
    const ids = items.map(({ id }) => id);
    await walk.ask(`POST ${at}/notifications/read`, { token, body: { ids } });
    await walk.ask(`GET ${at}/notification-settings`, { token });
    await walk.ask(`PUT ${at}/notification-settings`, {
      token,
      body: { kinds: { review_decided: { mail: true } } },
    });
  });
}

async function site(world: World): Promise<void> {
  const { walk, tokens, made } = world;
  const token = tokens.publisher;
  const { id } = await walk.ask<{ id: number }>(`POST ${at}/sites`, {
    token,
    body: { name: 'The Harbour Gazette', domain: SITE_DOMAIN, description: 'News of the harbour' },
  });
  made['site'] = id;
  await walk.ask(`GET ${at}/sites`, { token, query: { keyword: 'gazette', status: 'ACTIVE' } });
  await walk.ask(`PUT ${at}/sites/:id`, { id, token, body: { description: 'News, tides, ropes' } });
  made['publisher operation'] = await prove(world, id);
  await approved(world, `GET ${at}/sites/:id`, { type: 'site', id, token });
  await walk.ask(`GET ${at}/sites/:id/ads-txt`, { id, token });
  await walk.ask(`POST ${at}/sites/:id/toggle`, { id, token });
  await walk.ask(`POST ${at}/sites/:id/toggle`, { id, token });
  const other = await walk.ask<{ id: number }>(`POST ${at}/sites`, {
    token,
    body: { name: 'An old page', domain: OLD_DOMAIN },
  });
  await prove(world, other.id);
  await decide(world, { type: 'site', id: other.id }, 'reject');
  await until('the other site is rejected', async () => {
    const { audit_status } = await walk.ask<{ audit_status: string }>(`GET ${at}/sites/:id`, {
      id: other.id,
      token,
    });
    return audit_status === 'REJECTED';
  });
  await walk.ask(`POST ${at}/sites/:id/appeal`, {
    id: other.id,
    token,
    body: { text: 'It is reachable again' },
  });
  await decide(world, { type: 'site', id: other.id, by: 'reviewer' }, 'reject');
  await until('the appeal is refused', async () => {
    const { appeal } = await walk.ask<{ appeal: { status: string } | null }>(
      `GET ${at}/sites/:id`,
      { id: other.id, token },
    );
    return appeal?.status === 'refused';
  });
  await transfer(world, { holder: id, claimant: other.id });
  await walk.ask(`POST ${at}/sites/:id/submit-audit`, { id: other.id, token });
  await walk.ask(`DELETE ${at}/sites/:id`, { id: other.id, token });
}

/** Its proof is put on the server and found; answers the operation. */
async function prove({ walk, tokens, sites }: World, id: number): Promise<number> {
  const token = tokens.publisher;
  const { methods } = await walk.ask<{ methods: { method: string; value: string }[] }>(
    `GET ${at}/sites/:id/verify-code`,
    { id, token },
  );
  const value = methods.find(({ method }) => method === 'FILE')?.value ?? '';
  sites.pages.set('/.well-known/adplatform.txt', { type: 'text/plain', body: value });
  const { operation } = await walk.ask<{ operation: { id: number } }>(
    `POST ${at}/sites/:id/verify`,
    { id, token, body: { method: 'FILE' } },
  );
  await walk.ask(`GET ${at}/operations/:id`, { id: operation.id, token, query: { wait: 5 } });
  await walk.ask(`GET ${at}/operations`, { token, query: { page_size: 5 } });
  await until('the site is verified', async () => {
    const { verify_status } = await walk.ask<{ verify_status: string }>(`GET ${at}/sites/:id`, {
      id,
      token,
    });
    return verify_status === 'VERIFIED';
  });
  return operation.id;
}

/** As if the domain of one site had been proved by another, which asks no more in the end. */
async function transfer(
  { walk, tokens, platform }: World,
  { holder, claimant }: { holder: number; claimant: number },
): Promise<void> {
  const token = tokens.publisher;
  await platform.pool.query(
    `INSERT INTO domain_transfers (domain, claimant_id, claimant_site_id, holder_id, holder_site_id, method, due_at)
     SELECT h.domain, c.publisher_id, c.id, h.publisher_id, h.id, 'FILE', now() + interval '1 day'
     FROM sites h, sites c WHERE h.id = $1 AND c.id = $2`,
    [holder, claimant],
  );
  const body = { text: 'It has been ours since 2009' };
  await walk.ask(`POST ${at}/sites/:id/transfer/object`, { id: holder, token, body });
  await walk.ask(`POST ${at}/sites/:id/transfer/withdraw`, { id: claimant, token });
}

async function zones(world: World): Promise<void> {
  const { walk, tokens, made, words } = world;
  const token = tokens.publisher;
  const site_id = idOf(world, 'site');
  for (const [name, body] of [
    ['banner', { ad_type: 'BANNER', width: 300, height: 250, floor_price_cpm: 1.5 }],
    ['click', { ad_type: 'BANNER', width: 300, height: 250, pricing_types: 'CPC' }],
    ['video', { ad_type: 'VIDEO', width: 640, height: 360 }],
    ['rewarded', { ad_type: 'REWARDED', width: 320, height: 480, rewarded: { watch_seconds: 1 } }],
  ] as const) {
    await walk.step(`zone ${name}`, async () => {
      const zone = await walk.ask<{ id: number; zone_key: string }>(`POST ${at}/zones`, {
        token,
        body: { name: `Beside the article, ${name}`, site_id, ...body },
      });
      made[`zone ${name}`] = zone.id;
      words[`zone ${name}`] = zone.zone_key;
      await approved(world, `GET ${at}/zones/:id`, { type: 'zone', id: zone.id, token });
    });
  }
}

async function zoneRoutes(world: World): Promise<void> {
  const { walk, tokens } = world;
  const token = tokens.publisher;
  const id = idOf(world, 'zone banner');
  await walk.ask(`GET ${at}/zones`, { token, query: { site_id: idOf(world, 'site') } });
  await walk.ask(`GET ${at}/zones/options`, { token });
  await walk.ask(`PUT ${at}/zones/:id`, { id, token, body: { refresh: 60 } });
  await walk.ask(`GET ${at}/zones/:id/code`, { id, token, query: { page_lang: 'de-AT' } });
  await walk.ask(`GET ${at}/zones/:id/preview`, { id, token });
  await walk.ask(`POST ${at}/zones/:id/toggle`, { id, token });
  await walk.ask(`POST ${at}/zones/:id/toggle`, { id, token });
  const draft = await walk.ask<{ id: number }>(`POST ${at}/zones`, {
    token,
    body: {
      name: 'Not yet',
      site_id: idOf(world, 'site'),
      ad_type: 'NATIVE',
      save_as_draft: true,
    },
  });
  await walk.ask(`POST ${at}/zones/:id/submit-audit`, { id: draft.id, token });
  await walk.ask(`POST ${at}/zones/bulk`, {
    token,
    body: { action: 'set_floor_price_cpm', ids: [draft.id], value: 0.5 },
  });
  await walk.ask(`DELETE ${at}/zones/:id`, { id: draft.id, token });
  await walk.step('appeal of a zone', async () => {
    const other = await walk.ask<{ id: number }>(`POST ${at}/zones`, {
      token,
      body: { name: 'On appeal', site_id: idOf(world, 'site'), save_as_draft: true },
    });
    await appealed(world, { noun: `${at}/zones`, type: 'zone', id: other.id, token });
    await walk.ask(`DELETE ${at}/zones/:id`, { id: other.id, token });
  });
  await approved(world, `GET ${at}/zones/:id`, { type: 'zone', id, token });
}

/** Against an event of yesterday, which a walk of one day has none of. */
async function removalAppeal(world: World): Promise<void> {
  const { walk, tokens, platform } = world;
  const token = tokens.publisher;
  const zone = idOf(world, 'zone banner');
  const { rows } = await platform.pool.query<{ day: string }>(
    `INSERT INTO events (day, id, shard, kind, received_at, publisher_id, site_id, ad_id, zone_id,
       billable, status, reason, reasons)
     SELECT (now() AT TIME ZONE 'UTC')::date - 1, gen_random_uuid(), 0, 'impression',
       now() - interval '1 day', z.publisher_id, z.site_id, 1, z.id, false, 'invalid', 'BOT_UA', '["BOT_UA"]'
     FROM zones z WHERE z.id = $1 RETURNING day::text`,
    [zone],
  );
  const body = {
    zone_id: zone,
    date: rows[0]?.day,
    reason: 'BOT_UA',
    text: 'A school visited us.',
  };
  await walk.ask(`POST ${at}/removal-appeals`, { token, body });
  await walk.ask(`GET ${at}/removal-appeals`, { token, query: { status: 'OPEN' } });
}
