import { type SandboxKeys, startSandboxes } from './stand.ts';

/** The sandboxes of payment providers as a process of `npm start`; keys and port by its environment. */
const sandboxes = await startSandboxes(
  process.env as unknown as SandboxKeys,
  Number(process.env['SANDBOX_PORT']),
);
const BLOCK_MS = 2_000;
const mining = setInterval(() => {
  sandboxes.chain.mine();
  sandboxes.tron.mine();
}, BLOCK_MS);
const end = (): void => {
  clearInterval(mining);
  void sandboxes.close();
};
process.once('SIGTERM', end);
process.once('SIGINT', end);
