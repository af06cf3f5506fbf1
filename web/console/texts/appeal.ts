import { texts } from '../parts/texts.ts';

/** An owner's word against a rejection, and what became of it. */
export const appealTexts = texts({
  en: {
    offerTitle: 'Is this rejection wrong?',
    offer:
      'Say why. Somebody else than the reviewer before looks at it again. You can appeal once; after that, change it and submit it again.',
    appeal: 'Appeal',
    formTitle: 'Appeal the rejection',
    text: 'Why the rejection is wrong',
    textHelp: 'Name what the reviewer missed, and where it can be seen.',
    send: 'Send the appeal',
    sent: 'Your appeal is with the reviewers.',
    states: {
      open: 'Your appeal is with the reviewers',
      accepted: 'Your appeal was accepted',
      refused: 'Your appeal was refused',
      withdrawn: 'Your appeal is over',
    },
    next: {
      open: 'You will be told when it is decided.',
      accepted: 'Nothing is left for you to do.',
      refused: 'The answer stands. Change what the reviewers name above, then submit it again.',
      withdrawn: 'It was changed or archived before the appeal was decided.',
    },
    sentAt: 'Sent',
    decidedAt: 'answered',
    ofOwner: 'The owner appeals the rejection before',
    against: 'Rejected for',
    inRound: 'Appeal',
  },
  zh: {
    offerTitle: '认为拒绝有误？',
    offer: '请说明理由，将由另一位审核人员重新审核。只能申诉一次；之后请修改并重新提交。',
    appeal: '申诉',
    formTitle: '对拒绝提出申诉',
    text: '为什么拒绝有误',
    textHelp: '请写明审核人员忽略了什么，以及在哪里可以看到。',
    send: '提交申诉',
    sent: '申诉已提交给审核人员。',
    states: {
      open: '申诉正在审核中',
      accepted: '申诉已被接受',
      refused: '申诉被驳回',
      withdrawn: '申诉已结束',
    },
    next: {
      open: '有结果后会通知您。',
      accepted: '您无需再做任何事。',
      refused: '此结果为最终结果。请按上述审核意见修改后重新提交。',
      withdrawn: '在申诉作出决定之前，内容已被修改或归档。',
    },
    sentAt: '提交于',
    decidedAt: '答复于',
    ofOwner: '所有者对上一次拒绝提出申诉',
    against: '拒绝原因',
    inRound: '申诉',
  },
});
