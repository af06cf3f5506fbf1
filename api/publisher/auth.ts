import type { Router } from 'express';
import type { ConsoleDeps } from '../deps.ts';
import { accountAuthRoutes } from '../accounts/account-auth.ts';

/** interface 4.8; mounted at /api/publisher/auth. */
export function publisherAuthRoutes(deps: ConsoleDeps): Router {
  return accountAuthRoutes(deps, 'publisher');
}
