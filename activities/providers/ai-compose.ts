import type { AiProvider } from './ai.ts';
import { createEmbeddedAi } from './ai-embedded.ts';
import { createOpenAiCompatible } from './ai-openai.ts';

export interface AiSettings {
  /** Of an OpenAI-compatible endpoint, such as `https://api.example/v1`; undefined: embedded only. */
  baseUrl: string | undefined;
  apiKey: string | undefined;
  /** A kind without a model is made by the embedded generator. */
  imageModel: string | undefined;
  videoModel: string | undefined;
  textModel: string | undefined;
}

/** Between two looks at a video that is being made elsewhere. */
const VIDEO_POLL_MS = 3_000;

/** The operator's models, and the embedded generator for every kind without one. */
export function composeAi(settings: AiSettings): AiProvider {
  const embedded = createEmbeddedAi();
  if (settings.baseUrl === undefined) return embedded;
  const remote = createOpenAiCompatible({
    ...settings,
    baseUrl: settings.baseUrl,
    pollMs: VIDEO_POLL_MS,
  });
  return {
    image: remote.image ?? embedded.image,
    video: remote.video ?? embedded.video,
    copy: remote.copy ?? embedded.copy,
  };
}
