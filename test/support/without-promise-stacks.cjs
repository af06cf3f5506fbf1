const { promiseHooks } = require('node:v8');

/**
 * Where flows run in the thread of everything else (FLOWS_IN_THREAD), what Temporal puts aside for the stack
 * traces of waiting flows it looks for at each promise of the process, twice, until the process ends: also of
 * tests that have no flow. Nobody asks for those traces here. Node's own hooks, of which asynchronous storage
 * is made, come by the same door and are told by what they look at.
 */
const { createHook } = promiseHooks;
promiseHooks.createHook = (hooks) =>
  hooks.before === undefined ? () => undefined : createHook(hooks);
