import type * as yup from 'yup';
import { adsTxtUrlOf } from '../../activities/providers/site-proof.ts';
import type { SiteScreen } from '../../db/queries/publisher.ts';
import {
  adsTxtFileOf,
  FILE_PATH,
  META_NAME,
  sellerId,
  sellerLine,
  TXT_LABEL,
} from '../../domain/lifecycle/site-proof.ts';
import { SHOWN_TRANSFER_STATUSES } from '../../domain/lifecycle/domain-transfer.ts';
import {
  MEDIA_TYPES,
  methodsOf,
  siteDelivery,
  siteVerificationLifecycle,
  VERIFY_METHODS,
  VERIFY_STATUSES,
  type VerifyMethod,
} from '../../domain/lifecycle/site.ts';
import {
  address,
  addressOrNull,
  idOf,
  idOrNullOf,
  listOf,
  moving,
  oneOf,
  oneOfOrNull,
  record,
  time,
  timeOrNull,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { presentAppeal, stateFields } from './inventory.ts';

/** interface 2.8, with the three questions of interface 3. */
export const siteShape = record(
  {
    id: idOf(),
    name: words(),
    media_type: oneOf(MEDIA_TYPES),
    domain: wordsOrNull(),
    app_package: wordsOrNull(),
    url: wordsOrNull(),
    description: wordsOrNull(),
    industry_id: idOrNullOf(),
    icp: wordsOrNull(),
    verify_status: moving(oneOf(VERIFY_STATUSES)),
    verify_method: moving(oneOfOrNull(VERIFY_METHODS)),
    verified_at: moving(timeOrNull()),
    /** Weekly looks in a row without a proof; the third sets `verify_lapses_at`. */
    verify_misses: moving(whole().min(0)),
    verify_lapses_at: moving(timeOrNull()),
    /** The latest verification requested; null before the first. */
    verification: moving(
      record({
        method: oneOf(VERIFY_METHODS),
        status: oneOf(siteVerificationLifecycle.statuses),
        attempts: whole().min(0),
        last_outcome: wordsOrNull(),
      }).nullable(),
    ),
    /** When a claim that nobody proves is given up; null when it is not. */
    claim_lapses_at: moving(timeOrNull()),
    /** The domain was proved by one account while another holds it. REFUSED: to this site, which still waits for the same name. */
    transfer: moving(
      record({
        /** HOLDER: another account asks for the domain of this site. */
        role: oneOf(['CLAIMANT', 'HOLDER']),
        status: oneOf(SHOWN_TRANSFER_STATUSES),
        domain: words(),
        /** Until then its holder may object. */
        due_at: time(),
        objected_at: timeOrNull(),
      }).nullable(),
    ),
    ...stateFields,
  },
  'Site',
);

export function presentSite(site: SiteScreen): yup.InferType<typeof siteShape> {
  const delivery = siteDelivery(site);
  return {
    id: site.id,
    name: site.name,
    media_type: site.mediaType,
    domain: site.domain,
    app_package: site.appPackage,
    url: site.url,
    description: site.description,
    industry_id: site.industryId,
    icp: site.icp,
    verify_status: site.verifyStatus,
    verify_method: site.verifyMethod,
    verified_at: site.verifiedAt?.toISOString() ?? null,
    verify_misses: site.verifyMisses,
    verify_lapses_at: site.verifyLapsesAt?.toISOString() ?? null,
    verification:
      site.check === null
        ? null
        : {
            method: site.check.method,
            status: site.check.status,
            attempts: site.check.attempts,
            last_outcome: site.check.lastOutcome,
          },
    claim_lapses_at: site.claimLapsesAt?.toISOString() ?? null,
    transfer:
      site.transfer === null
        ? null
        : {
            role: site.transfer.role,
            status: site.transfer.status,
            domain: site.transfer.domain,
            due_at: new Date(site.transfer.dueAt).toISOString(),
            objected_at:
              site.transfer.objectedAt === null
                ? null
                : new Date(site.transfer.objectedAt).toISOString(),
          },
    status: site.status,
    audit_status: site.auditStatus,
    audit_reasons: site.auditReasons ?? [],
    appeal: presentAppeal(site.appeal),
    delivery_status: delivery.status,
    delivery_reasons: delivery.reasons,
    version: site.version,
    created_at: site.createdAt.toISOString(),
    updated_at: site.updatedAt.toISOString(),
  };
}

/** interface 4.9: one way to prove it; `location` is where our fetcher looks. */
const proofShape = record({
  method: oneOf(VERIFY_METHODS),
  location: words(),
  value: words(),
  instruction: words(),
});

export const verifyCodeShape = record(
  { code: words(), methods: listOf(proofShape), verify_status: oneOf(VERIFY_STATUSES) },
  'SiteVerifyCode',
);

export function presentVerifyCode(
  site: SiteScreen,
  adsTxtDomain: string,
): yup.InferType<typeof verifyCodeShape> {
  return {
    code: site.verifyToken,
    methods: methodsOf(site.mediaType).map((method) => recipe(site, method, adsTxtDomain)),
    verify_status: site.verifyStatus,
  };
}

function recipe(
  site: SiteScreen,
  method: VerifyMethod,
  adsTxtDomain: string,
): yup.InferType<typeof proofShape> {
  const code = site.verifyToken;
  switch (method) {
    case 'META':
      return {
        method,
        location: `https://${site.domain}/`,
        value: `<meta name="${META_NAME}" content="${code}">`,
        instruction: 'Put this tag into the head of the home page.',
      };
    case 'FILE':
      return {
        method,
        location: `https://${site.domain}${FILE_PATH}`,
        value: code,
        instruction: 'Serve a text file that holds this code and nothing else.',
      };
    case 'DNS':
      return {
        method,
        location: `${TXT_LABEL}.${site.domain}`,
        value: code,
        instruction: 'Add a TXT record with this value at this name.',
      };
    case 'ADS_TXT':
      return { method, ...adsTxtRecipe(site, adsTxtDomain) };
  }
}

/** An app without a developer site has no place yet; its owner is asked to name one. */
function adsTxtRecipe(site: SiteScreen, adsTxtDomain: string) {
  const file = adsTxtFileOf(site.mediaType);
  return {
    location: adsTxtUrlOf(site) ?? `https://your-developer-site/${file}`,
    value: sellerLine(adsTxtDomain, site.publisherId),
    instruction: 'Add this line to the file on the root domain.',
  };
}

/** interface 4.9: what a publisher's own file has to say so that buyers find us in it. */
export const adsTxtShape = record(
  {
    seller_id: words(),
    file: oneOf(['ads.txt', 'app-ads.txt']),
    location: addressOrNull(),
    line: words(),
    sellers_json_url: address(),
  },
  'SiteAdsTxt',
);

export function presentAdsTxt(
  site: SiteScreen,
  platform: { adsTxtDomain: string; baseUrl: string },
): yup.InferType<typeof adsTxtShape> {
  return {
    seller_id: sellerId(site.publisherId),
    file: adsTxtFileOf(site.mediaType),
    location: adsTxtUrlOf(site),
    line: sellerLine(platform.adsTxtDomain, site.publisherId),
    sellers_json_url: `${platform.baseUrl}/sellers.json`,
  };
}
