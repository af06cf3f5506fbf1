import { groupCommit } from './group-commit.ts';

interface Waiting<In, Out> {
  input: In;
  resolve: (output: Out) => void;
  reject: (error: unknown) => void;
}

/**
 * Runs one statement for many callers: those that come while `atOnce` of them run share the next one and
 * its commit. `run` answers an output per input, in their order. What `isOwnFault` says of an error is found
 * by running each alone, so that one that cannot be stored refuses none of the others.
 */
export function merged<In, Out>(options: {
  max: number;
  atOnce: number;
  run: (inputs: readonly In[]) => Promise<Out[]>;
  isOwnFault: (error: unknown) => boolean;
}): (input: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = [];

  const settle = async (batch: readonly Waiting<In, Out>[]): Promise<void> => {
    try {
      const outputs = await options.run(batch.map(({ input }) => input));
      for (const [at, { resolve }] of batch.entries()) resolve(outputs[at] as Out);
    } catch (error) {
      if (batch.length > 1 && options.isOwnFault(error)) {
        for (const each of batch) await settle([each]);
        return;
      }
      for (const { reject } of batch) reject(error);
    }
  };
  const { came } = groupCommit({
    atOnce: options.atOnce,
    waiting: () => waiting.length,
    leave: async () => await settle(waiting.splice(0, options.max)),
  });
  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      came();
    });
}
