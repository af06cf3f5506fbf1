import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import type { AiCall } from '../../../activities/providers/ai.ts';
import { createEmbeddedAi } from '../../../activities/providers/ai-embedded.ts';
import { probeVideo, sniffVideo } from '../../../activities/providers/video-probe.ts';
import { COPY_LENGTH_MAX, TONES } from '../../../domain/creative/generation.ts';
import { image } from '../../support/images.ts';

const ai = createEmbeddedAi();
const call = (key: string): AiCall => ({
  key,
  signal: new AbortController().signal,
  remembered: undefined,
  remember: () => undefined,
});
const picture = { prompt: 'A red sofa', tone: null, width: 320, height: 180, source: null };

describe('embedded generator · image', () => {
  it('an order · is a picture of its size, the same under the same key only', async () => {
    const first = await ai.image.make(picture, call('a'));
    expect(await sharp(first).metadata()).toMatchObject({
      format: 'jpeg',
      width: 320,
      height: 180,
    });
    expect(await ai.image.make(picture, call('a'))).toEqual(first);
    expect(await ai.image.make(picture, call('b'))).not.toEqual(first);
    expect(ai.image.notice).toContain('built-in');
  });

  it('a colour in the prompt · is the colour of the picture', async () => {
    const mean = async (prompt: string): Promise<number[]> => {
      const { channels } = await sharp(
        await ai.image.make({ ...picture, prompt }, call('a')),
      ).stats();
      return channels.map((channel) => channel.mean);
    };
    const [red = 0, , blueOfRed = 0] = await mean('A red sofa');
    const [redOfBlue = 0, , blue = 0] = await mean('A blue sofa');
    expect(red).toBeGreaterThan(blueOfRed);
    expect(blue).toBeGreaterThan(redOfBlue);
  });

  it('a picture to begin from · is what is seen', async () => {
    const source = await image('png', { width: 100, height: 100, colour: '#00ff00' });
    const made = await ai.image.make({ ...picture, source }, call('a'));
    const { channels } = await sharp(made).stats();
    expect(channels.map((channel) => Math.round(channel.mean / 50))).toEqual([0, 5, 0]);
  });
});

describe('embedded generator · video', () => {
  it.each([
    ['from the prompt', null],
    ['from a picture', 'png' as const],
  ])('%s · passes the probe that uploads pass', async (_name, format) => {
    const source = format === null ? null : await image(format, { width: 80, height: 60 });
    const made = await ai.video.make({ ...picture, source, durationS: 2 }, call('a'));
    expect(sniffVideo(made)).toBe('webm');
    const folder = await mkdtemp(path.join(tmpdir(), 'ai-'));
    try {
      const file = path.join(folder, 'made');
      await writeFile(file, made);
      expect(await probeVideo(file, 'webm')).toMatchObject({
        width: 320,
        height: 180,
        durationS: 2,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('told to stop · stops', async () => {
    const stop = new AbortController();
    const making = ai.video.make(
      { ...picture, durationS: 15 },
      { ...call('a'), signal: stop.signal },
    );
    stop.abort(new Error('enough'));
    await expect(making).rejects.toThrow('enough');
  });
});

describe('embedded generator · copy', () => {
  it.each(['en', 'de', 'es', 'fr', 'zh', 'zh-Hant', 'fi'])(
    'in %s · fits the fields of an ad and differs',
    async (language) => {
      for (const tone of TONES) {
        const order = {
          prompt: `Trail shoes ${'very '.repeat(30)}light; 20% off`,
          tone,
          language,
          count: 4,
        };
        const variants = await ai.copy.make(order, call('a'));
        expect(new Set(variants.map((variant) => variant.title)).size).toBe(4);
        for (const variant of variants) {
          for (const field of ['title', 'description', 'button_text'] as const) {
            expect(Array.from(variant[field]).length).toBeGreaterThan(0);
            expect(Array.from(variant[field]).length).toBeLessThanOrEqual(COPY_LENGTH_MAX[field]);
          }
          expect(variant.title).toContain('Trail shoes');
        }
      }
    },
  );

  it('a prompt of signs · is still a text', async () => {
    const order = { prompt: '$& {x} $1\n\u0000', tone: null, language: 'en', count: 1 };
    const [variant] = await ai.copy.make(order, call('a'));
    expect(variant?.title).toContain('$& {x} $1');
    expect(JSON.stringify(variant)).not.toContain('\\u0000');
  });
});
