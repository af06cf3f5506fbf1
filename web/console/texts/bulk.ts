import { plural, texts } from '../parts/texts.ts';

/** Doing the same to many rows. */
export const bulk = texts({
  en: {
    chosen: (count: number) => `${count} chosen`,
    clear: 'Choose none',
    value: 'New value',
    preview: 'See what will happen',
    will: (count: number) => `${plural(count, 'row')} will be changed.`,
    wont: (count: number) => `${count} cannot be:`,
    done: (count: number) => `${count} changed.`,
    failed: (count: number) => `${count} could not be:`,
    doIt: 'Do it',
    close: 'Close',
  },
  zh: {
    chosen: (count) => `已选 ${count} 项`,
    clear: '取消选择',
    value: '新的数值',
    preview: '查看结果预览',
    will: (count) => `${count} 项将被修改。`,
    wont: (count) => `${count} 项无法修改：`,
    done: (count) => `已修改 ${count} 项。`,
    failed: (count) => `${count} 项未能修改：`,
    doIt: '执行',
    close: '关闭',
  },
});
