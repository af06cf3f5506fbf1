import type { Express } from 'express';

interface Listing {
  listRoutes(): { path: unknown; methods: string[] | undefined; router: Listing | undefined }[];
}

/** `METHOD /path` of every route that the application really has, in the order of its routers. */
export function mountedRoutes(app: Express): string[] {
  return [...new Set(walk(app.router as unknown as Listing, ''))];
}

function walk(router: Listing, prefix: string): string[] {
  return router.listRoutes().flatMap(({ path, methods, router: inner }) => {
    if (typeof path !== 'string') throw new Error(`a route whose path is no text: ${String(path)}`);
    const here = `${prefix}${path === '/' ? '' : path}`;
    if (inner !== undefined) return walk(inner, here);
    return (methods ?? [])
      .map((method) => method.toUpperCase())
      .filter((method) => method !== 'HEAD')
      .map((method) => `${method} ${here === '' ? '/' : here}`);
  });
}
