import type {
  AiCall,
  AiProvider,
  CopyOrder,
  ImageOrder,
  VideoOrder,
} from '../../activities/providers/ai.ts';
import { createEmbeddedAi } from '../../activities/providers/ai-embedded.ts';
import { invalid } from '../../domain/errors.ts';

/** How the next calls go; a list is used up call by call, then all is well. */
export type Mood =
  | 'works'
  /** Fails before anything was made. */
  | 'fails'
  /** Makes it, and the answer is lost: the caller's patience ends first. */
  | 'times-out-after-executing'
  /** Will not make it, ever. */
  | 'refuses'
  /** Hangs until it is told to stop. */
  | 'hangs';

export interface AiSandbox extends AiProvider {
  moods: Mood[];
  /** Keys that end so fail for ever. */
  downFor: string | null;
  /** Every call that reached the provider, by its key. */
  calls: string[];
  /** Keys of what was made, also when nobody got it. */
  executed: string[];
}

/** A provider with the troubles of real ones; what it makes is real. */
export function createAiSandbox(): AiSandbox {
  const embedded = createEmbeddedAi();
  const sandbox: AiSandbox = {
    moods: [],
    downFor: null,
    calls: [],
    executed: [],
    image: wrap<ImageOrder, Buffer>(embedded.image.make),
    video: wrap<VideoOrder, Buffer>(embedded.video.make),
    copy: wrap<CopyOrder, Awaited<ReturnType<AiProvider['copy']['make']>>>(embedded.copy.make),
  };
  return sandbox;

  function wrap<Order, Made>(make: (order: Order, call: AiCall) => Promise<Made>) {
    return {
      name: 'sandbox',
      notice: null,
      make: async (order: Order, call: AiCall): Promise<Made> => {
        sandbox.calls.push(call.key);
        const mood = sandbox.moods.shift();
        const isDown = sandbox.downFor !== null && call.key.endsWith(sandbox.downFor);
        if (mood === 'fails' || isDown) throw new Error('the sandbox is down');
        if (mood === 'refuses') {
          throw invalid({ field: 'prompt', code: 'refused', message: 'Not this.' });
        }
        if (mood === 'hangs') await untilStopped(call.signal);
        const made = await make(order, call);
        sandbox.executed.push(call.key);
        if (mood === 'times-out-after-executing') throw new Error('no answer in time');
        return made;
      },
    };
  }
}

async function untilStopped(signal: AbortSignal): Promise<never> {
  return await new Promise<never>((_resolve, reject) => {
    const stop = (): void => reject(new Error('stopped', { cause: signal.reason }));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
