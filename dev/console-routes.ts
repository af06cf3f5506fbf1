import path from 'node:path';
import { Generator, getConfig } from '@tanstack/router-generator';

/** Writes web/console/route-tree.gen.ts as the build does, so that types are checked before one. */
const root = path.resolve('web/console');
const config = getConfig(
  {
    target: 'react',
    routesDirectory: path.join(root, 'routes'),
    generatedRouteTree: path.join(root, 'route-tree.gen.ts'),
    quoteStyle: 'single',
  },
  root,
);
await new Generator({ config, root }).run();
