import type { Request } from 'express';

/** The route that answered, such as `/api/admin/tasks/:id`: no id, no token. `none`: none did. */
export function routeOf(req: Request): string {
  const found = req.route as { path?: unknown } | undefined;
  // A router's address may have an id in it as well.
  return typeof found?.path === 'string'
    ? `${req.baseUrl.replace(/\/\d+(?=\/|$)/g, '/:id')}${found.path}`
    : 'none';
}
