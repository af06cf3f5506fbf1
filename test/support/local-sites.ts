import { startListener } from './listener.ts';

/** A publisher's web site and a shop, on one local port; names are mapped to it by the browser. */
export interface LocalSites {
  port: number;
  /** Path to text; `/` is the publisher's page. */
  pages: Map<string, { type: string; body: string | Buffer; headers?: Record<string, string> }>;
  close(): Promise<void>;
}

export async function startLocalSites(): Promise<LocalSites> {
  const pages: LocalSites['pages'] = new Map();
  const { port, close } = await startListener((req, res) => {
    const page = pages.get((req.url ?? '/').split('?', 1)[0] ?? '/');
    res.writeHead(page === undefined ? 404 : 200, {
      'Content-Type': page?.type ?? 'text/plain',
      ...page?.headers,
    });
    res.end(page?.body ?? 'not here');
  });
  return { port, pages, close };
}
