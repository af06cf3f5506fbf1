import { createHmac, timingSafeEqual } from 'node:crypto';
import { mediaName } from '../db/files/media-store.ts';
import type { ConsoleDeps } from './deps.ts';
import type { AddressOf } from './present/media.ts';

/**
 * Addresses by which an asset's owner and its reviewers load it before anybody else may (interface 2.5):
 * `{cdn_url}/media/signed/{until}-{mac}/{path}`. All files of an HTML5 creative have one seal, in
 * the path, so that its page finds them by their relative names.
 */

/** An address lives for one to two of these; within one it stays the same, so that browsers may keep it. */
const STEP_SECONDS = 600;
const MAC_BYTES = 16;

type Config = ConsoleDeps['config'];
type Sealing = Pick<Config, 'keys' | 'urls'>;

export function signedAddresses({ keys, urls }: Sealing, now: Date): AddressOf {
  const step = Math.floor(now.getTime() / 1000 / STEP_SECONDS);
  const until = (step + 2) * STEP_SECONDS;
  return (path) => {
    const mac = macOf(keys.hash, mediaName(path), until).toString('base64url');
    return `${urls.cdn}/media/signed/${until}-${mac}/${path}`;
  };
}

/** Whether a seal is ours, for this file, and still good. */
export function opensMedia(
  { keys }: Pick<Config, 'keys'>,
  { seal, path, now }: { seal: string; path: string; now: Date },
): boolean {
  const [, until = '', mac = ''] = /^(\d{1,12})-([\w-]{22})$/.exec(seal) ?? [];
  if (until === '' || Number(until) * 1000 <= now.getTime()) return false;
  const given = Buffer.from(mac, 'base64url');
  const own = macOf(keys.hash, mediaName(path), Number(until));
  return given.length === own.length && timingSafeEqual(given, own);
}

const macOf = (key: Buffer, name: string, until: number): Buffer =>
  createHmac('sha256', key).update(`media\n${name}\n${until}`).digest().subarray(0, MAC_BYTES);
