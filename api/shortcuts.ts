import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AdDeps, adHandlers, type AdHandler } from './ad/surface.ts';
import {
  conversionAnswer,
  type ConversionAnswer,
  type ConversionDeps,
} from './conversion/answer.ts';
import { trackAnswer, type TrackAnswer, type TrackDeps } from './track/surface.ts';

/** What answers on the hot surfaces; undefined for a surface that this process does not serve. */
export interface HotHandlers {
  ad: Record<'request' | 'render' | 'document' | 'vast', AdHandler> | undefined;
  track: TrackAnswer | undefined;
  conversion: ConversionAnswer | undefined;
}

export const hotHandlers = ({ ad, track, conversion }: HotDeps): HotHandlers => ({
  ad: ad && adHandlers(ad),
  track: track && trackAnswer(track),
  conversion: conversion && conversionAnswer(conversion),
});

interface HotDeps {
  ad: AdDeps | undefined;
  track: TrackDeps | undefined;
  conversion: ConversionDeps | undefined;
}

/** False when the request was left alone. */
export type Shortcut = (req: IncomingMessage, res: ServerResponse) => boolean;

/**
 * The paths that carry nearly all requests, told by their first characters before Express sees them:
 * its routers cost 5 to 10 us, of 40 that an ad request may take. Whatever is not taken here goes on to
 * the routers, which lead to the same handlers.
 */
export function shortcuts({
  ad,
  track,
  conversion,
}: Pick<HotHandlers, 'track' | 'conversion'> & { ad: AdRequests }): Shortcut {
  return (req, res) => {
    const { url = '' } = req;
    if (url.startsWith('/track/')) {
      const path = url.slice(6);
      return track?.(req, res, path) === true || conversion?.(req, res, path) === true;
    }
    if (ad === undefined || req.method !== 'GET' || !url.startsWith('/ad/re')) return false;
    // They answer for their own faults, so nothing is left to wait for.
    if (url.startsWith('/ad/request?')) {
      void ad.request(req, res, {});
      return true;
    }
    const [, film, zone] = RENDER.exec(url) ?? [];
    if (zone === undefined) return false;
    void (film === undefined ? ad.render : ad.vast)(req, res, { zone_id: zone });
    return true;
  };
}

/** Zones by id or key; what is written otherwise (escapes, a slash at its end) is the routers' to read. */
const RENDER = /^\/ad\/render\/(vast\/)?([\w-]+)(?:\?|$)/;

type AdRequests = Record<'request' | 'render' | 'vast', AdHandler> | undefined;
