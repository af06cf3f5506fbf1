/** A lock within the process: each function runs when the one before it has ended, in order of asking. */
export type OneAtATime = <Result>(run: () => Promise<Result>) => Promise<Result>;

export function oneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return async (run) => {
    const mine = last.then(run, run);
    last = mine;
    return await mine;
  };
}
