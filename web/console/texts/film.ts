import { texts } from '../parts/texts.ts';

/** What a VAST document names, for whoever reviews it. */
export const film = texts({
  en: {
    openElsewhere: 'Open in a new tab',
    elsewhere:
      'The film is on another server, which chooses it when the ad is shown. It is not fetched for this page: open its document to see what it names now.',
    nextDocument: 'Its document',
    length: 'Length',
    file: (number: number) => `Film, file ${number}`,
  },
  zh: {
    openElsewhere: '在新标签页打开',
    elsewhere: '视频位于另一服务器，展示时由其选定。本页不会获取它：请打开其文档查看当前内容。',
    nextDocument: '其文档',
    length: '时长',
    file: (number) => `视频文件 ${number}`,
  },
});
