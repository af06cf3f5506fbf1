/** A lock within the process: any number together, or one alone, which those who come later wait for. */
export interface SharedOrAlone {
  shared<Result>(run: () => Promise<Result>): Promise<Result>;
  alone<Result>(run: () => Promise<Result>): Promise<Result>;
}

export function sharedOrAlone(): SharedOrAlone {
  const together = new Set<Promise<unknown>>();
  let alone: Promise<unknown> | undefined;
  return {
    shared: async (run) => {
      while (alone !== undefined) await alone;
      const mine = run();
      together.add(mine);
      try {
        return await mine;
      } finally {
        together.delete(mine);
      }
    },
    alone: async (run) => {
      // Looked at and taken in one step: nobody comes between.
      while (alone !== undefined) await alone;
      const { promise, end } = ending();
      alone = promise;
      try {
        await Promise.allSettled(together);
        return await run();
      } finally {
        alone = undefined;
        end();
      }
    },
  };
}

function ending(): { promise: Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { promise, end };
}
