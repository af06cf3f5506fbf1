/**
 * A value that is mostly there at once. A request that waits for nothing is answered without a
 * promise: each `await` costs a turn of the queue and an object, and there were five of them.
 */
export type Soon<Value> = Value | Promise<Value>;

export function whenThere<Value, Result>(
  value: Soon<Value>,
  run: (value: Value) => Soon<Result>,
): Soon<Result> {
  return value instanceof Promise ? value.then(run) : run(value);
}
