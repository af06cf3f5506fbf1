import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { composeProviders, type Providers } from '../../activities/providers/compose.ts';
import { loadConfig } from '../../config.ts';

/** Fixed, so that what one part of a test seals another part opens. */
export const TEST_KEYS = { DATA_KEYS: `0:${'5a'.repeat(32)}` };

/** The embedded providers, over folders of their own. */
export function testProviders(env: Record<string, string> = {}): Providers {
  const folder = mkdtempSync(path.join(tmpdir(), 'adplatform-providers-'));
  const dirs = {
    MEDIA_DIR: path.join(folder, 'media'),
    PRIVATE_DIR: path.join(folder, 'private'),
    EXPORT_DIR: path.join(folder, 'exports'),
    MAIL_DIR: path.join(folder, 'mail'),
  };
  return composeProviders(loadConfig({ NODE_ENV: 'test', ...TEST_KEYS, ...dirs, ...env }));
}
