import type { Router } from 'express';
import type { ConsoleDeps } from '../deps.ts';
import { accountAuthRoutes } from '../accounts/account-auth.ts';

/** interface 5.2; mounted at /api/admin/auth. Operators are made by a command, so nobody registers. */
export function adminAuthRoutes(deps: ConsoleDeps): Router {
  return accountAuthRoutes(deps, 'admin');
}
