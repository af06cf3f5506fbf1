import { inKeyedRequest } from '../../activities/core/run-once.ts';

const NEVER = '';

/** As the handler of a request with an Idempotency-Key; answers what `run` answers. */
export const asKeyedRequest = <Result>(key: string, run: () => Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    inKeyedRequest(key, NEVER, () => {
      run().then(resolve, reject);
    });
  });
