import {
  type ActivityInterfaceFor,
  type ActivityOptions,
  proxyActivities,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';

/**
 * Steps of a flow, each with the line that operators read in Temporal's timeline. A line names no
 * person and no sum: it is kept in clear where payloads are not sealed.
 */
export function stepsOf<Name extends keyof Activities>(
  options: ActivityOptions,
  summaries: Readonly<Record<Name, string>>,
): ActivityInterfaceFor<Pick<Activities, Name>> {
  const names = Object.keys(summaries) as Name[];
  const steps = names.map((name) => {
    const proxies = proxyActivities<Pick<Activities, Name>>({
      ...options,
      summary: summaries[name],
    });
    return [name, proxies[name]];
  });
  return Object.fromEntries(steps) as ActivityInterfaceFor<Pick<Activities, Name>>;
}
