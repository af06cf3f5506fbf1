import { plural, texts } from '../parts/texts.ts';

/** A list as a file. */
export const listFile = texts({
  en: {
    save: 'Save as CSV',
    reading: 'The list is being read',
    rowsRead: (rows: number, total: number) => (total === 0 ? '' : `${rows} of ${total}`),
    saved: (rows: number) => `Saved: ${plural(rows, 'row')}.`,
    cut: (rows: number, total: number) =>
      `Saved: the first ${rows} of ${total} rows. A file has no more; narrow the list for the others.`,
    moved: (rows: number) =>
      `Saved: ${plural(rows, 'row')}. The list changed while it was read, so some may be missing; save it once more.`,
  },
  zh: {
    save: '保存为 CSV',
    reading: '正在读取列表',
    rowsRead: (rows: number, total: number) => (total === 0 ? '' : `${rows} / ${total}`),
    saved: (rows: number) => `已保存 ${rows} 行。`,
    cut: (rows: number, total: number) =>
      `已保存 ${total} 行中的前 ${rows} 行。一个文件最多这么多行；其余的请用筛选缩小列表后再保存。`,
    moved: (rows: number) => `已保存 ${rows} 行。读取期间列表有变动，可能缺少几行；请再保存一次。`,
  },
});
