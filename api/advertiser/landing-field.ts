import { findLandingUrlFault, type LandingUrlRules } from '../../domain/creative/landing-url.ts';
import { webUrl } from '../http/fields.ts';

const MESSAGES = {
  url: 'must be an http or https address',
  macro_in_host: 'macros may not change scheme or host',
  host_not_public: 'must have a public host name',
} as const;

/** A page that viewers are sent to; empty and null mean none of its own. */
export const landingUrl = (rules: LandingUrlRules) =>
  webUrl()
    .nullable()
    .test('landing_url', (value, context) => {
      // What is no address at all has been named by the test before this one.
      if (value === undefined || value === null || !webUrl().isValidSync(value)) return true;
      if (value === '') return true;
      const fault = findLandingUrlFault(value, rules);
      if (fault === null) return true;
      return context.createError({ type: fault, message: MESSAGES[fault] });
    });
