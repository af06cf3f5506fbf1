import { texts } from '../parts/texts.ts';

/** Two who change one record. */
export const conflict = texts({
  en: {
    conflict: 'Somebody changed this meanwhile',
    conflictHelp: 'Below is what is different now. Keep yours to write over it, or take theirs.',
    keepMine: 'Keep mine',
    takeTheirs: 'Take theirs',
    theirs: 'Theirs',
    mine: 'Mine',
  },
  zh: {
    conflict: '有人同时修改了此内容',
    conflictHelp: '以下是现在的不同之处。保留您的内容将覆盖它，或采用对方的内容。',
    keepMine: '保留我的',
    takeTheirs: '采用对方的',
    theirs: '对方的',
    mine: '我的',
  },
});
