import type { ConnectionOptions } from '@temporalio/client';
import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig';

export type TemporalConnection = ClientConnectConfig['connectionOptions'] & { address: string };

const ADDRESS = '127.0.0.1:7233';
const NAMESPACE = 'ads';
const RECONNECT_WITHIN_MS = 5_000;

/**
 * Where flows live, as Temporal's own programs are told: TEMPORAL_ADDRESS, _NAMESPACE, _API_KEY, _TLS,
 * _TLS_CLIENT_CERT_PATH and so on, or a file named by TEMPORAL_CONFIG_FILE. A file of the user's home is
 * not looked for: a person's own cluster is not the platform's.
 */
export function temporalOf(
  env: NodeJS.ProcessEnv,
  faults: string[],
): { address: string; namespace: string; connection: TemporalConnection } {
  const given = Object.entries(env).flatMap(([name, value]) =>
    name.startsWith('TEMPORAL_') && value !== undefined && value !== '' ? [[name, value]] : [],
  );
  const overrideEnvVars = Object.fromEntries(given) as Record<string, string>;
  const disableFile = overrideEnvVars['TEMPORAL_CONFIG_FILE'] === undefined;
  try {
    const loaded = loadClientConnectConfig({ overrideEnvVars, disableFile });
    const { address = ADDRESS } = loaded.connectionOptions;
    const connection = { ...loaded.connectionOptions, address };
    return { address, namespace: loaded.namespace ?? NAMESPACE, connection };
  } catch (error) {
    faults.push(`TEMPORAL_*: ${error instanceof Error ? error.message : String(error)}`);
    return { address: ADDRESS, namespace: NAMESPACE, connection: { address: ADDRESS } };
  }
}

/** As a client takes it. By itself it would look up to two minutes later whether Temporal is back. */
export const reconnectingSoon = (connection: TemporalConnection): ConnectionOptions => ({
  ...connection,
  channelArgs: { 'grpc.max_reconnect_backoff_ms': RECONNECT_WITHIN_MS },
});
