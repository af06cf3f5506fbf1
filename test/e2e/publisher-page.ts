import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A publisher's web site and a shop, on one local port; names are mapped to it by the browser. */
export interface LocalSites {
  port: number;
  /** Path to text; `/` is the publisher's page. */
  pages: Map<string, { type: string; body: string }>;
  close(): Promise<void>;
}

export async function startLocalSites(): Promise<LocalSites> {
  const pages: LocalSites['pages'] = new Map();
  const server = createServer((req, res) => {
    const page = pages.get((req.url ?? '/').split('?', 1)[0] ?? '/');
    res.writeHead(page === undefined ? 404 : 200, { 'Content-Type': page?.type ?? 'text/plain' });
    res.end(page?.body ?? 'not here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    pages,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
