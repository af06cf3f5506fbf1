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
