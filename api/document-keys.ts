import { Router } from 'express';
import { documentKeysOf } from '../activities/providers/document-signer.ts';
import type { ConsoleDeps } from './deps.ts';

/** interface 5.22: what anybody needs to verify a document. At the root. */
export function documentKeyRoutes({ config }: ConsoleDeps): Router {
  const router = Router();
  const body = JSON.stringify(documentKeysOf(config.keys.documents));
  router.get('/document-keys.json', (_req, res) => {
    res.set('Access-Control-Allow-Origin', '*').set('Cache-Control', 'public, max-age=300');
    res.type('application/json').send(body);
  });
  return router;
}
