import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Somebody's server on this machine's loopback, on a port of its own. */
export interface Listener {
  port: number;
  /** `127.0.0.1:port`, as DEV_HOSTS takes it. */
  host: string;
  url: string;
  /** Cuts what is still open. */
  close: () => Promise<void>;
}

export async function startListener(answer: http.RequestListener): Promise<Listener> {
  const server = http.createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    port,
    host,
    url: `http://${host}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** One that answers by a script, and as `usual` when the script has ended. */
export interface ScriptedListener extends Listener {
  /** Paths with their queries, in the order they came. */
  asked: string[];
  answers: http.RequestListener[];
}

export async function startScripted(usual: http.RequestListener): Promise<ScriptedListener> {
  const asked: string[] = [];
  const answers: http.RequestListener[] = [];
  const listener = await startListener((req, res) => {
    asked.push(req.url ?? '');
    (answers.shift() ?? usual)(req, res);
  });
  return { ...listener, asked, answers };
}

/** An answer of this status and nothing else. */
export const status =
  (code: number): http.RequestListener =>
  (_req, res) =>
    void res.writeHead(code).end();
export const hangsUp: http.RequestListener = (_req, res) => void res.destroy();
