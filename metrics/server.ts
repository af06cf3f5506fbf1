import cluster from 'node:cluster';
import { createServer } from 'node:http';
import type { Logger } from 'pino';
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';

export interface Metrics {
  registry: Registry;
  close(): void;
}

interface Listening {
  host: string;
  port: number;
  log: Logger;
}

export interface MetricsOptions extends Listening {
  /** Text of others' figures, behind ours; may fail, and then there is none. */
  more?: () => Promise<string>;
}

/**
 * Serves this process's `/metrics`. One of several behind a port (api/processes.ts) opens none: a scrape would
 * reach any one of them, and counters would go back. The process above them asks it.
 */
export function serveMetrics({ more, ...listening }: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  if (cluster.isWorker) {
    AggregatorRegistry.setRegistries(registry);
    // From now on it answers the process above.
    new AggregatorRegistry();
    return { registry, close: () => undefined };
  }
  const close = answerScrapes(listening, async () => {
    const texts = await Promise.all([registry.metrics(), more?.().catch(() => '') ?? '']);
    return texts.join('\n');
  });
  return { registry, close };
}

/** The figures of all processes that this one has started, added up: one scrape answers for all of them. */
export function serveMetricsOfAll(listening: Listening): void {
  const all = new AggregatorRegistry();
  answerScrapes(listening, async () => await all.clusterMetrics());
}

/** `/metrics` and nothing else. A scrape that fails answers 500 and is told in the log. */
function answerScrapes({ host, port, log }: Listening, read: () => Promise<string>): () => void {
  const server = createServer((req, res) => {
    if (req.url !== '/metrics') {
      res.writeHead(404).end();
      return;
    }
    read().then(
      (text) => res.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      (error: unknown) => {
        log.warn({ err: error }, 'metrics could not be gathered');
        res.writeHead(500).end();
      },
    );
  });
  // A port that is taken must not end a process that does its work.
  server.on('error', (error) => log.error({ err: error, port }, 'metrics are not served'));
  server.listen(port, host, () => log.info({ port }, 'metrics served'));
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
