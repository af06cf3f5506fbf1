import { loadConfig } from '../config.ts';
import { isToSupervise, superviseProcesses } from './processes.ts';

/**
 * The API's first code: the process that serves (server.ts), or with SERVING_PROCESSES above one the
 * process that keeps so many of them running on its port.
 */
const config = loadConfig(process.env);
if (isToSupervise(config.http.servingProcesses)) await superviseProcesses(config);
else await import('./server.ts');
