import * as yup from 'yup';
import { normaliseDomain, registrableDomain } from '../../activities/publisher/site-domain.ts';
import type { NewSite, SiteFields } from '../../activities/publisher/sites.ts';
import type { SiteScreen } from '../../db/queries/publisher.ts';
import { type FieldError, invalid } from '../../domain/errors.ts';
import {
  MEDIA_TYPES,
  readVerifyMethod,
  VERIFY_METHODS,
  type VerifyMethod,
} from '../../domain/lifecycle/site.ts';
import { parseUrl } from '../../domain/url.ts';
import { id, name, objectRules, text, webUrl } from '../http/fields.ts';

/** Schemas of a site's body (interface 2.8), and their way into the model's fields. */
const domain = () =>
  text(253)
    .test('domain', 'must be a registrable domain, such as news.example.com', (value) =>
      typeof value === 'string' && value !== '' ? normaliseDomain(value) !== undefined : true,
    )
    .meta({ kind: 'word' });
const appPackage = () =>
  yup
    .string()
    .matches(/^[A-Za-z0-9][A-Za-z0-9._-]{1,199}$/, 'must be a package name or mini-program id');

const editable = {
  domain: domain().nullable(),
  app_package: appPackage().nullable(),
  url: webUrl().nullable(),
  description: text(2_000).nullable(),
  industry_id: id().nullable(),
  icp: text(100).nullable(),
};
export const createSiteBody = yup
  .object({
    ...editable,
    name: name().required(),
    media_type: yup.string().oneOf(MEDIA_TYPES),
  })
  .test('names', objectRules(nameFaults));
export const updateSiteBody = yup.object({
  ...editable,
  name: name(),
  media_type: yup.string().oneOf(MEDIA_TYPES),
});

/** A method under any of its names (interface 4.9). */
export const verifyBody = yup.object({
  method: yup
    .string()
    .required()
    .test(
      'one_of',
      `must be one of ${VERIFY_METHODS.join(', ')}`,
      (value) => typeof value !== 'string' || readVerifyMethod(value) !== undefined,
    )
    .meta({ kind: 'word' }),
});

/** Of a body that fits. */
export function verifyMethodOf({ method }: yup.InferType<typeof verifyBody>): VerifyMethod {
  const read = readVerifyMethod(method);
  if (read === undefined) throw new Error('the schema lets no other method pass');
  return read;
}

type Body = Partial<yup.InferType<typeof updateSiteBody>>;

const blankToNull = (value: string | null | undefined): string | null =>
  value === undefined || value === '' ? null : value;

const domainOf = (text: string | null): string | null =>
  text === null ? null : (normaliseDomain(text) ?? null);

/**
 * Which name a site needs depends on its media type, the other it may have (interface 2.8). Of a body that
 * nobody has checked: what is no text is named by its own field.
 */
function nameFaults(
  body: Partial<Record<'media_type' | 'domain' | 'app_package' | 'url', unknown>>,
): FieldError[] {
  const mediaType = MEDIA_TYPES.find((type) => type === (body.media_type ?? 'WEB'));
  if (mediaType === undefined) return [];
  const own = mediaType === 'WEB' ? 'domain' : 'app_package';
  if ((body[own] ?? '') === '') {
    return [{ field: own, code: 'required', message: `A site of type ${mediaType} needs it.` }];
  }
  const { domain: claimed, url } = body;
  if (mediaType !== 'WEB' || typeof claimed !== 'string' || typeof url !== 'string') return [];
  const home = domainOf(claimed);
  return home === null ? [] : urlFaults(url, home);
}

export function newSiteOf(
  publisherId: number,
  body: yup.InferType<typeof createSiteBody>,
): NewSite {
  return {
    publisherId,
    mediaType: body.media_type ?? 'WEB',
    name: body.name,
    domain: domainOf(blankToNull(body.domain)),
    appPackage: blankToNull(body.app_package),
    url: blankToNull(body.url),
    description: body.description ?? null,
    industryId: body.industry_id ?? null,
    icp: body.icp ?? null,
  };
}

export function patchOf(site: SiteScreen, body: Body): Partial<SiteFields> {
  if (body.media_type !== undefined && body.media_type !== site.mediaType) {
    const message = 'The media type of a site cannot change.';
    throw invalid({ field: 'media_type', code: 'immutable', message });
  }
  const claimed = body.domain === undefined ? undefined : blankToNull(body.domain);
  const patch: Partial<SiteFields> = {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(claimed === undefined ? {} : { domain: domainOf(claimed) }),
    ...(body.app_package === undefined ? {} : { appPackage: blankToNull(body.app_package) }),
    ...(body.url === undefined ? {} : { url: blankToNull(body.url) }),
    ...(body.description === undefined ? {} : { description: body.description }),
    ...(body.industry_id === undefined ? {} : { industryId: body.industry_id }),
    ...(body.icp === undefined ? {} : { icp: body.icp }),
  };
  if (site.mediaType === 'WEB') {
    const next = patch.domain ?? site.domain ?? '';
    if (patch.url === null) patch.url = `https://${next}`;
    const faults = urlFaults(patch.url ?? null, next);
    if (faults.length > 0) throw invalid(...faults);
  }
  return patch;
}

/** A web site's address is on the domain that it claims. */
function urlFaults(url: string | null, claimed: string): FieldError[] {
  if (url === null) return [];
  const home = registrableDomain(claimed);
  const host = parseUrl(url)?.hostname;
  // What is no address at all has been named by its own field.
  if (host === undefined || registrableDomain(host) === home) return [];
  return [{ field: 'url', code: 'off_domain', message: `must be on ${home}` }];
}
