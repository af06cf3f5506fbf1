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

/** All that one page asks for; what joins the four together is filled in on the way. */
export interface LaunchPlan {
  /** A creative that exists, or what makes one. */
  creative: { id: number } | Body<'POST /api/advertiser/creatives'>;
  campaign: Body<'POST /api/advertiser/campaigns'>;
  adgroup: Omit<Body<'POST /api/advertiser/adgroups'>, 'campaign_id'>;
  ad: Omit<Body<'POST /api/advertiser/ads'>, 'adgroup_id' | 'creative_id'>;
  isDraft: boolean;
}

interface Made {
  id: number;
  /** As it was last accepted: another text is an edit. */
  sent: string;
}

/** What an earlier try has made, and under which keys; belongs to one form. */
export interface LaunchMemory {
  made: Partial<Record<LaunchStep, Made>>;
  keys: Map<string, string>;
}

export const emptyMemory = (): LaunchMemory => ({ made: {}, keys: new Map() });

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
 * Campaign, ad group, creative and ad, in this order: each enters review as it is made. A second try
 * goes on where the first ended: what was made is kept, what was changed since is saved, and a lost
 * answer is asked for again by its key. Answers the campaign's id.
 */
export async function launch(
  plan: LaunchPlan,
  memory: LaunchMemory,
  say: (step: LaunchStep, state: StepState) => void,
): Promise<number> {
  const does = async (step: LaunchStep, body: object): Promise<number> => {
    say(step, 'running');
    try {
      const id = await ensure(step, memory, { ...body, save_as_draft: plan.isDraft });
      say(step, 'done');
      return id;
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
      say(step, isRefused ? 'failed' : 'unanswered');
      throw error instanceof ApiError ? atOurFields(step, error) : error;
    }
  };
  const { creative } = plan;
  const campaignId = await does('campaign', plan.campaign);
  const adGroupId = await does('adgroup', { ...plan.adgroup, campaign_id: campaignId });
  const creativeId = 'id' in creative ? creative.id : await does('creative', creative);
  if ('id' in creative) say('creative', 'done');
  await does('ad', { ...plan.ad, adgroup_id: adGroupId, creative_id: creativeId });
  return campaignId;
}

async function ensure(step: LaunchStep, memory: LaunchMemory, body: object): Promise<number> {
  const sent = JSON.stringify(body);
  const made = memory.made[step];
  if (made?.sent === sent) return made.id;
  // Another picture is another creative: what kind it is cannot be edited.
  const isEdit = made !== undefined && step !== 'creative';
  const id = isEdit ? made.id : await make(ROUTES[step], memory, body);
  if (isEdit) {
    const update = UPDATES[step];
    const { save_as_draft: _draft, ...changes } = body as { save_as_draft: boolean };
    await api(update).call(update, { path: { id }, body: changes as never });
  }
  memory.made[step] = { id, sent };
  return id;
}

async function make(route: LaunchRoute, memory: LaunchMemory, body: object): Promise<number> {
  const text = `${route} ${JSON.stringify(body)}`;
  const key = memory.keys.get(text) ?? crypto.randomUUID();
  memory.keys.set(text, key);
  const answer = await api(route).call(route, {
    headers: { 'Idempotency-Key': key },
    body: body as never,
  });
  return answer.id;
}

/** Names that differ between the page and the step that refuses them. */
const OUR_NAMES: Partial<Record<LaunchStep, Readonly<Record<string, string>>>> = {
  creative: {
    image_media_id: 'creative',
    video_media_id: 'creative',
    html5_media_id: 'creative',
    width: 'creative',
    height: 'creative',
    click_url: 'landing_url',
  },
  campaign: { price: 'bid' },
  ad: { creative_id: 'creative' },
};

function atOurFields(step: LaunchStep, error: ApiError): ApiError {
  const names = OUR_NAMES[step] ?? {};
  const errors = error.errors.map((each) => ({ ...each, field: names[each.field] ?? each.field }));
  return Object.assign(Object.create(ApiError.prototype) as ApiError, error, {
    message: error.message,
    errors,
  });
}
