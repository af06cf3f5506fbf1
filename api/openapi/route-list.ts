import type { Express } from 'express';
import { contractOf, type DescribedRoute, describedRoutes } from '../http/route.ts';

/** A route that the application really has. */
export interface MountedRoute {
  method: string;
  /** As mounted: `/api/advertiser/campaigns/:id`. */
  path: string;
  contract: DescribedRoute['contract'] | undefined;
}

interface Layer {
  route?: { stack: { method?: string; handle: object }[]; path: unknown };
  handle: { stack?: Layer[] };
  rawPath?: unknown;
}

/** Every route of the application with its contract, in the order of its routers. */
export function mountedRoutes(app: Express): MountedRoute[] {
  const found = walk(app.router as unknown as { stack: Layer[] }, '');
  const seen = new Set<string>();
  return found.filter(({ method, path }) => {
    const key = `${method} ${path}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

function walk(router: { stack: Layer[] }, prefix: string): MountedRoute[] {
  const own = describedRoutes(router).map((each) => ({ ...each, path: prefix + each.path }));
  const nested = router.stack.flatMap((layer) => {
    const { route, handle } = layer;
    if (route === undefined && !Array.isArray(handle.stack)) return [];
    return [layer.rawPath].flat().flatMap((rawPath) => {
      if (typeof rawPath !== 'string') throw new Error(`no text as a path: ${String(rawPath)}`);
      const here = `${prefix}${rawPath === '/' ? '' : rawPath}`;
      if (route === undefined) return walk(handle as { stack: Layer[] }, here);
      const path = here === '' ? '/' : here;
      return methodsOf(route).map(([method, contract]) => ({ method, path, contract }));
    });
  });
  return [...own, ...nested];
}

function methodsOf(
  route: NonNullable<Layer['route']>,
): [method: string, contract: DescribedRoute['contract'] | undefined][] {
  const methods = new Map<string, DescribedRoute['contract'] | undefined>();
  for (const { method, handle } of route.stack) {
    if (method === undefined || method === 'head') continue;
    const name = method.toUpperCase();
    methods.set(name, contractOf(handle) ?? methods.get(name));
  }
  return [...methods];
}
