import { loadConfig } from '../config.ts';
import { isToSupervise, superviseProcesses } from './processes.ts';

/**
 * The API's first code: the process that serves (server.ts), or with SERVING_PROCESSES above one the
 * process that keeps so many of them running on its port.
 */
const { http, metricsPort } = loadConfig(process.env);
const { servingProcesses, host } = http;
if (isToSupervise(servingProcesses))
  await superviseProcesses(servingProcesses, { host, metricsPort });
else await import('./server.ts');
