import { texts } from '../parts/texts.ts';

/** What flows are about, as operators read it. */
export const operation = texts({
  en: {
    subjects: {
      withdrawal: 'Withdrawal',
      kyc: 'Proof',
      site: 'Site',
      ai_job: 'AI job',
      export: 'Export',
      reversal: 'Reversal',
    },
  },
  zh: {
    subjects: {
      withdrawal: '提现',
      kyc: '证明',
      site: '网站',
      ai_job: 'AI 任务',
      export: '导出',
      reversal: '冲正',
    },
  },
});
