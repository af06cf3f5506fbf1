import type { SiteRow } from '../../db/queries/publisher.ts';
import { FILE_PATH, META_NAME, sellerId, TXT_LABEL } from '../../domain/lifecycle/site-proof.ts';
import { methodsOf, siteDelivery, type VerifyMethod } from '../../domain/lifecycle/site.ts';

/** interface 2.8 and the three axes of decisions 1. */
export function presentSite(site: SiteRow) {
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
    status: site.status,
    audit_status: site.auditStatus,
    audit_reasons: site.auditReasons ?? [],
    verify_status: site.verifyStatus,
    verify_method: site.verifyMethod,
    verified_at: site.verifiedAt?.toISOString() ?? null,
    verification:
      site.checkStatus === null
        ? null
        : {
            method: site.checkMethod,
            status: site.checkStatus,
            attempts: site.checkAttempts,
            last_outcome: site.checkOutcome,
          },
    delivery_status: delivery.status,
    delivery_reasons: delivery.reasons,
    created_at: site.createdAt.toISOString(),
    updated_at: site.updatedAt.toISOString(),
  };
}

/** decisions 2: `{code, methods: [{method, location, value, instruction}], verify_status}`. */
export function presentVerifyCode(site: SiteRow, adsTxtDomain: string) {
  return {
    code: site.verifyToken,
    methods: methodsOf(site.mediaType).map((method) => recipe(site, method, adsTxtDomain)),
    verify_status: site.verifyStatus,
  };
}

function recipe(site: SiteRow, method: VerifyMethod, adsTxtDomain: string) {
  const code = site.verifyToken;
  switch (method) {
    case 'META': {
      const value = `<meta name="${META_NAME}" content="${code}">`;
      const location = `https://${site.domain}/`;
      return {
        method,
        location,
        value,
        instruction: 'Put this tag into the head of the home page.',
      };
    }
    case 'FILE': {
      const location = `https://${site.domain}${FILE_PATH}`;
      return {
        method,
        location,
        value: code,
        instruction: 'Serve a text file that holds this code and nothing else.',
      };
    }
    case 'DNS': {
      const location = `${TXT_LABEL}.${site.domain}`;
      return {
        method,
        location,
        value: code,
        instruction: 'Add a TXT record with this value at this name.',
      };
    }
    case 'ADS_TXT': {
      const app = site.mediaType !== 'WEB';
      const host = app ? new URL(site.url ?? 'https://your-developer-site').host : site.domain;
      const location = `https://${host}/${app ? 'app-ads.txt' : 'ads.txt'}`;
      const value = `${adsTxtDomain}, ${sellerId(site.publisherId)}, DIRECT`;
      return {
        method,
        location,
        value,
        instruction: 'Add this line to the file on the root domain.',
      };
    }
  }
}
