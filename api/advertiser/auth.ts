import type { Router } from 'express';
import type { ConsoleDeps } from '../deps.ts';
import { accountAuthRoutes } from '../accounts/account-auth.ts';

/** interface 4.1; mounted at /api/advertiser/auth. */
export function advertiserAuthRoutes(deps: ConsoleDeps): Router {
  return accountAuthRoutes(deps, 'advertiser');
}
