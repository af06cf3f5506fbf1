import { texts } from '../parts/texts.ts';

/** Something that goes on, of which no news comes. */
export const unheard = texts({
  en: {
    staleSince: (time: string) => `Not heard from the platform since ${time}.`,
  },
  zh: {
    staleSince: (time) => `自 ${time} 起未收到平台的消息。`,
  },
});
