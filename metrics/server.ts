import { createServer } from 'node:http';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';

export interface Metrics {
  registry: Registry;
  close(): void;
}

export interface MetricsOptions {
  host: string;
  port: number;
  log: Logger;
  /** Text of others' figures, behind ours; may fail, and then there is none. */
  more?: () => Promise<string>;
}

/** Serves `/metrics` and nothing else. A scrape that fails answers 500 and is told in the log. */
export function serveMetrics({ host, port, log, more }: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const server = createServer((req, res) => {
    if (req.url !== '/metrics') {
      res.writeHead(404).end();
      return;
    }
    Promise.all([registry.metrics(), more?.().catch(() => '') ?? '']).then(
      (texts) => res.writeHead(200, { 'content-type': registry.contentType }).end(texts.join('\n')),
      (error: unknown) => {
        log.warn({ err: error }, 'metrics could not be gathered');
        res.writeHead(500).end();
      },
    );
  });
  // A port that is taken must not end a process that does its work.
  server.on('error', (error) => log.error({ err: error, port }, 'metrics are not served'));
  server.listen(port, host, () => log.info({ port }, 'metrics served'));
  return {
    registry,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
