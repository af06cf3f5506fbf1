/**
 * What runs in the thread of a video probe, as plain JavaScript: so it starts the same from the
 * sources, from the build and under test, where a thread knows no TypeScript. It reads every packet
 * of every track and posts `VideoProbe`; `library` is where mediabunny lies, because an evaluated
 * program has no folder of its own to look from.
 */
export const VIDEO_PROBE_PROGRAM = `'use strict';
const { parentPort, workerData } = require('node:worker_threads');
const { EncodedPacketSink, FilePathSource, Input, MP4, WEBM } = require(workerData.library);

async function walk(track) {
  const seen = { packets: 0, bytes: 0, endS: 0, keyFrames: 0 };
  for await (const packet of new EncodedPacketSink(track).packets()) {
    seen.packets += 1;
    seen.bytes += packet.data.byteLength;
    seen.endS = Math.max(seen.endS, packet.timestamp + packet.duration);
    if (packet.type === 'key') seen.keyFrames += 1;
    if (seen.packets > workerData.packetsMax) throw new Error('too many packets');
  }
  return seen;
}

async function probe() {
  const source = new FilePathSource(workerData.file, { handleUnhandledError: () => undefined });
  const input = new Input({ source, formats: [MP4, WEBM] });
  const tracks = [];
  for (const track of await input.getTracks()) {
    const isVideo = track.type === 'video';
    tracks.push({
      type: track.type,
      codec: track.codec,
      width: isVideo ? track.displayWidth : null,
      height: isVideo ? track.displayHeight : null,
      ...(await walk(track)),
    });
  }
  return { declaredS: await input.getDurationFromMetadata(), tracks };
}

probe().then(
  (found) => parentPort.postMessage({ found }),
  (error) => parentPort.postMessage({ fault: String(error && error.message) }),
);
`;
