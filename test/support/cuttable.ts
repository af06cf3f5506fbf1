import { createServer, type AddressInfo, connect, type Socket } from 'node:net';

/** A service behind a wire that a test can cut: connections die at once and new ones are refused. */
export interface Cuttable {
  url: string;
  cut(): void;
  /** Connections stay and nothing comes through any more, as of a machine that hangs; `cut` ends it. */
  stall(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function cuttable(serviceUrl: string): Promise<Cuttable> {
  const target = new URL(serviceUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = new URL(serviceUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.toString(),
    cut: () => {
      isCut = true;
      drop();
    },
    stall: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend: () => {
      isCut = false;
    },
    close: async () => {
      drop();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
