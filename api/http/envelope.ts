import type { Response } from 'express';

/** interface 2.1: the one shape of every JSON answer but click-verify's and the conversion endpoints'. */
export interface Envelope {
  code: number;
  message: string;
  data: unknown;
  timestamp: number;
}

export function envelope(data: unknown, message = 'ok', code = 0): Envelope {
  return { code, message, data, timestamp: Math.floor(Date.now() / 1000) };
}

export function ok(res: Response, data: unknown, message?: string): void {
  res.status(200).json(envelope(data, message));
}

export function created(res: Response, data: unknown): void {
  res.status(201).json(envelope(data));
}

/** A flow goes on: `operation` tells how, `Location` where to ask again. */
export function accepted(res: Response, location: string, data: unknown): void {
  res.status(202).location(location).json(envelope(data));
}
