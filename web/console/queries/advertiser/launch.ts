import { api } from '../../api.ts';
import { ApiError } from '../../../client/client.ts';
import type { Routes } from '../../../client/routes.ts';

type Body<Name extends LaunchRoute> = Routes[Name]['body'];
type LaunchRoute =
  | 'POST /api/advertiser/campaigns'
  | 'POST /api/advertiser/adgroups'
  | 'POST /api/advertiser/creatives'
  | 'POST /api/advertiser/ads';

export const LAUNCH_STEPS = ['campaign', 'adgroup', 'creative', 'ad'] as const;
export type LaunchStep = (typeof LAUNCH_STEPS)[number];
/** `unanswered`: nobody knows whether it was done. */
export type StepState = 'running' | 'done' | 'failed' | 'unanswered';

/** All that one page asks for; what joins its parts together is filled in on the way. */
export interface LaunchPlan {
  campaign: Body<'POST /api/advertiser/campaigns'>;
  adgroup: Omit<Body<'POST /api/advertiser/adgroups'>, 'campaign_id'>;
  /** A creative that exists, or what makes one, and the ad that shows it. */
  shown: readonly {
    creative: { id: number } | Body<'POST /api/advertiser/creatives'>;
    ad: Omit<Body<'POST /api/advertiser/ads'>, 'adgroup_id' | 'creative_id'>;
  }[];
  isDraft: boolean;
}

interface Made {
  id: number;
  /** As it was last accepted: another text is an edit. */
  sent: string;
}

/** What an earlier try has made, and under which keys; belongs to one form. */
export interface LaunchMemory {
  /** By step and, of creatives and ads, their place. */
  made: Map<string, Made>;
  keys: Map<string, string>;
  /** What was sent and not answered. */
  asked: Map<string, string>;
}

export const emptyMemory = (): LaunchMemory => ({
  made: new Map(),
  keys: new Map(),
  asked: new Map(),
});

const ROUTES = {
  campaign: 'POST /api/advertiser/campaigns',
  adgroup: 'POST /api/advertiser/adgroups',
  creative: 'POST /api/advertiser/creatives',
  ad: 'POST /api/advertiser/ads',
} as const;
const UPDATES = {
  campaign: 'PUT /api/advertiser/campaigns/{id}',
  adgroup: 'PUT /api/advertiser/adgroups/{id}',
  ad: 'PUT /api/advertiser/ads/{id}',
} as const;

/**
 * Campaign, ad group, creatives and their ads, in this order: each enters review as it is made. A second try
 * goes on where the first ended: what was made is kept, what was changed since is saved, and a lost
 * answer is asked for again by its key. Answers the campaign's id.
 */
export async function launch(
  plan: LaunchPlan,
  memory: LaunchMemory,
  say: (step: LaunchStep, state: StepState) => void,
): Promise<number> {
  const does = async (step: LaunchStep, body: object, at = 0): Promise<number> =>
    await ensure({ step, at }, memory, { ...body, save_as_draft: plan.isDraft });
  const all = async (step: LaunchStep, work: () => Promise<number[]>): Promise<number[]> => {
    say(step, 'running');
    try {
      const ids = await work();
      say(step, 'done');
      return ids;
    } catch (error) {
      say(step, isRefused(error) ? 'failed' : 'unanswered');
      throw error instanceof ApiError ? atOurFields(step, error) : error;
    }
  };
  const [campaignId = 0] = await all('campaign', async () => [
    await does('campaign', plan.campaign),
  ]);
  const [adGroupId = 0] = await all('adgroup', async () => [
    await does('adgroup', { ...plan.adgroup, campaign_id: campaignId }),
  ]);
  const creativeIds = await all('creative', async () => {
    const ids: number[] = [];
    for (const [at, { creative }] of plan.shown.entries()) {
      ids.push('id' in creative ? creative.id : await does('creative', creative, at));
    }
    return ids;
  });
  await all('ad', async () => {
    const ids: number[] = [];
    for (const [at, { ad }] of plan.shown.entries()) {
      const joined = { ...ad, adgroup_id: adGroupId, creative_id: creativeIds[at] ?? 0 };
      ids.push(await does('ad', joined, at));
    }
    await takeBack(memory, plan.shown.length);
    return ids;
  });
  return campaignId;
}

/** Ads of an earlier try whose pictures were taken away since. */
async function takeBack(memory: LaunchMemory, count: number): Promise<void> {
  const route = 'DELETE /api/advertiser/ads/{id}';
  for (let at = count; ; at += 1) {
    const slot = `ad ${at}`;
    const made = await madeBefore(slot, 'ad', memory);
    if (made === undefined) return;
    await api(route).call(route, { path: { id: made.id } });
    memory.made.delete(slot);
  }
}

async function ensure(
  { step, at }: { step: LaunchStep; at: number },
  memory: LaunchMemory,
  body: object,
): Promise<number> {
  const sent = JSON.stringify(body);
  const slot = `${step} ${at}`;
  if (memory.asked.get(slot) === sent) memory.asked.delete(slot);
  // Another picture is another creative: what kind it is cannot be edited.
  const made = step === 'creative' ? memory.made.get(slot) : await madeBefore(slot, step, memory);
  if (made?.sent === sent) return made.id;
  const isEdit = made !== undefined && step !== 'creative';
  if (!isEdit) return await make({ slot, step }, memory, body);
  const update = UPDATES[step];
  const { save_as_draft: _draft, ...changes } = body as { save_as_draft: boolean };
  await api(update).call(update, { path: { id: made.id }, body: changes as never });
  memory.made.set(slot, { id: made.id, sent });
  return made.id;
}

/** What stands at this place, also where its answer was lost: that is asked for again by its key. */
async function madeBefore(
  slot: string,
  step: LaunchStep,
  memory: LaunchMemory,
): Promise<Made | undefined> {
  const lost = memory.asked.get(slot);
  if (lost === undefined) return memory.made.get(slot);
  try {
    await make({ slot, step }, memory, JSON.parse(lost) as object);
  } catch (error) {
    if (!hasMadeNothing(error)) throw error;
  }
  return memory.made.get(slot);
}

/** Not so where the same request is still under way, or this one came too soon. */
const hasMadeNothing = (error: unknown): boolean =>
  isRefused(error) && ![409, 429].includes((error as ApiError).status);

const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

async function make(
  { slot, step }: { slot: string; step: LaunchStep },
  memory: LaunchMemory,
  body: object,
): Promise<number> {
  const route = ROUTES[step];
  const sent = JSON.stringify(body);
  const text = `${route} ${sent}`;
  const key = memory.keys.get(text) ?? crypto.randomUUID();
  memory.keys.set(text, key);
  memory.asked.set(slot, sent);
  try {
    const { id } = await api(route).call(route, {
      headers: { 'Idempotency-Key': key },
      body: body as never,
    });
    memory.asked.delete(slot);
    memory.made.set(slot, { id, sent });
    return id;
  } catch (error) {
    if (hasMadeNothing(error)) memory.asked.delete(slot);
    throw error;
  }
}

/** Names that differ between the page and the step that refuses them. */
const OUR_NAMES: Partial<Record<LaunchStep, Readonly<Record<string, string>>>> = {
  creative: {
    image_media_id: 'creatives',
    video_media_id: 'creatives',
    html5_media_id: 'creatives',
    width: 'creatives',
    height: 'creatives',
    click_url: 'landing_url',
  },
  campaign: { price: 'bid' },
  ad: { creative_id: 'creatives' },
};

function atOurFields(step: LaunchStep, error: ApiError): ApiError {
  const names = OUR_NAMES[step] ?? {};
  const errors = error.errors.map((each) => ({ ...each, field: names[each.field] ?? each.field }));
  return Object.assign(Object.create(ApiError.prototype) as ApiError, error, {
    message: error.message,
    errors,
  });
}
