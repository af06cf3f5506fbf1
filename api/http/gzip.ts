import compression from 'compression';
import type { RequestHandler } from 'express';

/** Below this the header of the packing costs more than it saves. */
const BYTES_MIN = 1_024;

/**
 * Packs the answers of the console surfaces for callers that take gzip or brotli. The hot surfaces
 * stay without it: their answers are small, and the time is theirs. What is packed already (images,
 * video, xlsx) is left as it is by its type. A guess at secrets by the packed length (BREACH) needs a
 * browser that sends somebody's credentials by itself; ours are in a header that scripts must set.
 */
export function consoleGzip(): RequestHandler {
  return compression({
    threshold: BYTES_MIN,
    // A part of a file is a part of its own bytes, not of the packed ones.
    filter: (req, res) => !res.hasHeader('Content-Range') && compression.filter(req, res),
  });
}
