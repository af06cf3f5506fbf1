import path from 'node:path';
import { cacheDir } from './install.ts';
import { createPortChooser, type PortChooser } from './ports.ts';
import { createProgress, type Progress } from './progress.ts';
import { openRecords, type Records } from './records.ts';

export interface StandPart {
  name: string;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Ends it now, without waiting: for the second Ctrl-C. */
  kill(): void;
}

/** One stand: a folder of data, the processes that belong to it, and the terminal it talks to. */
export interface StandContext {
  root: string;
  dataDir: string;
  cacheDir: string;
  env: NodeJS.ProcessEnv;
  progress: Progress;
  records: Records;
  ports: PortChooser;
  /** Aborted when the stand is to end; everything that waits or runs looks at it. */
  signal: AbortSignal;
  /** What was started or taken over, in that order; ended in the opposite one. */
  parts: StandPart[];
}

export function openContext(options: {
  root: string;
  dataDir: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  progress?: Progress;
}): StandContext {
  return {
    root: options.root,
    dataDir: path.resolve(options.root, options.dataDir),
    cacheDir: cacheDir(options.env),
    env: options.env,
    progress: options.progress ?? createProgress(),
    records: openRecords(path.resolve(options.root, options.dataDir)),
    ports: createPortChooser(options.env),
    signal: options.signal,
    parts: [],
  };
}

/** Ends every part in the opposite order of its start. One that does not end does not keep the others. */
export async function stopParts(context: StandContext): Promise<void> {
  for (const part of context.parts.splice(0).reverse()) {
    try {
      await part.stop();
    } catch (error) {
      context.progress.say(
        `${part.name}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}
