import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isErrno, isRunning, type ProcessIdentity, processBegun } from './processes.ts';

/** One process of a stand, as `services.json` remembers it. */
export interface PartRecord extends ProcessIdentity {
  ports: Record<string, number>;
}

/**
 * What a stand remembers between its runs: who runs it, its processes, and the ports it used last,
 * so that addresses stay the same.
 */
export interface Records {
  readonly file: string;
  /** The recorded part if its process still runs. */
  standing(name: string): PartRecord | undefined;
  lastPort(name: string): number | undefined;
  remember(name: string, record: PartRecord): void;
  forget(name: string): void;
  /** Becomes the owner of this stand, or answers the living process that is. */
  claim(): ProcessIdentity | undefined;
  release(): void;
}

interface Stored {
  parts: Record<string, PartRecord>;
  ports: Record<string, number>;
}

export function openRecords(dataDir: string): Records {
  mkdirSync(dataDir, { recursive: true });
  const file = path.join(dataDir, 'services.json');
  const ownerFile = path.join(dataDir, 'owner.json');
  const read = () => readStored(file);
  const write = (stored: Stored) => writeJson(file, stored);
  return {
    file,
    standing: (name) => {
      const record = read().parts[name];
      return record !== undefined && isRunning(record) ? record : undefined;
    },
    lastPort: (name) => read().ports[name],
    remember: (name, record) => {
      const stored = read();
      write({
        parts: { ...stored.parts, [name]: record },
        ports: { ...stored.ports, ...record.ports },
      });
    },
    forget: (name) => {
      const { parts, ports } = read();
      const { [name]: _gone, ...rest } = parts;
      write({ parts: rest, ports });
    },
    claim: () => claim(ownerFile),
    release: () => rmSync(ownerFile, { force: true }),
  };
}

/** Becomes the owner that the file names, or answers the living process that is. */
export function claim(ownerFile: string): ProcessIdentity | undefined {
  const self = { pid: process.pid, begun: processBegun(process.pid) ?? '' };
  for (;;) {
    try {
      writeFileSync(ownerFile, JSON.stringify(self), { flag: 'wx', mode: 0o600 });
      return undefined;
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error;
    }
    const owner = parse(ownerFile, isIdentity);
    if (owner !== undefined && isRunning(owner)) return owner;
    rmSync(ownerFile, { force: true });
  }
}

/** A file that was cut off or is of another shape counts as none: everything in it can be found again. */
function readStored(file: string): Stored {
  const stored = parse(file, isStored);
  return stored ?? { parts: {}, ports: {} };
}

/** Reads JSON of a known shape; undefined when the file is missing, cut off, or of another shape. */
export function parse<Shape>(
  file: string,
  matches: (value: unknown) => value is Shape,
): Shape | undefined {
  if (!existsSync(file)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  return matches(value) ? value : undefined;
}

/** Whole or not at all: a reader never sees half a file. Readable by its owner only. */
export function writeJson(file: string, value: unknown): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

function isIdentity(value: unknown): value is ProcessIdentity {
  return isRecord(value) && typeof value['pid'] === 'number' && typeof value['begun'] === 'string';
}

function isStored(value: unknown): value is Stored {
  return isRecord(value) && isRecord(value['parts']) && isRecord(value['ports']);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
