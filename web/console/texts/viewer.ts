import { texts } from '../parts/texts.ts';

/** Looking closely at a picture or the pages of a document. */
export const viewer = texts({
  en: {
    tools: (name: string) => `View of ${name}`,
    stage: (name: string) => `${name}: scroll or drag to move it`,
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    turnLeft: 'Rotate left',
    turnRight: 'Rotate right',
    fit: 'Fit',
    actual: 'Actual size, 1:1',
    enlarge: 'Full screen',
    enlargeOf: (name: string) => `Full screen: ${name}`,
    pages: (count: number) => `${count} pages`,
    page: (page: number, pages: number) => `Page ${page} of ${pages}`,
    withKey: (label: string, key: string) => `${label} (${key})`,
    cut: (shown: number, pages: number) =>
      `The first ${shown} of ${pages} pages are shown. Download it to read the rest.`,
    unreadable: 'This file cannot be shown here. Download it to look at it.',
  },
  zh: {
    tools: (name) => `查看${name}`,
    stage: (name) => `${name}：滚动或拖动以移动`,
    zoomIn: '放大',
    zoomOut: '缩小',
    turnLeft: '向左旋转',
    turnRight: '向右旋转',
    fit: '适合',
    actual: '实际大小 1:1',
    enlarge: '全屏查看',
    enlargeOf: (name) => `全屏查看：${name}`,
    pages: (count) => `共 ${count} 页`,
    page: (page, pages) => `第 ${page} 页，共 ${pages} 页`,
    withKey: (label, key) => `${label}（${key}）`,
    cut: (shown, pages) => `共 ${pages} 页，此处显示前 ${shown} 页，其余请下载查看。`,
    unreadable: '此文件无法在此显示，请下载后查看。',
  },
});
