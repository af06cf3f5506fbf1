import type { Preferences } from './person.ts';

type Language = Preferences['language'];

/** Why a scheduled report was not sent, and what its person does about it (interface 5.24). */
interface Said {
  why: string;
  next: string;
}
type Known =
  | 'not_allowed'
  | 'email_unconfirmed'
  | 'not_found'
  | 'kept'
  | 'too_many_events'
  | 'too_many_rows'
  | 'other';

const SAID: Readonly<Record<Language, Readonly<Record<Known, Said>>>> = {
  en: {
    not_allowed: {
      why: 'You could not read this report then.',
      next: 'Ask an administrator of the account whether you may read it.',
    },
    email_unconfirmed: {
      why: 'Your e-mail address is not confirmed.',
      next: 'Open the link in the letter that confirms it; the console sends another one.',
    },
    not_found: {
      why: 'What the report is narrowed to is not there any more.',
      next: 'Schedule the report anew without that filter, and delete this schedule.',
    },
    kept: {
      why: 'Figures of these days are not kept any more at this breakdown.',
      next: 'Change the schedule to newer days, or schedule the report anew by day.',
    },
    too_many_events: {
      why: 'These days are too many for this breakdown.',
      next: 'Change the schedule to fewer days, or schedule the report anew with fewer dimensions.',
    },
    too_many_rows: {
      why: 'The report has too many rows.',
      next: 'Change the schedule to fewer days, or schedule the report anew with fewer dimensions.',
    },
    other: {
      why: 'The file could not be written.',
      next: 'It is tried again at its next time. “Send now” tries it at once.',
    },
  },
  zh: {
    not_allowed: { why: '当时您无权查看此报表。', next: '请向账户管理员确认您能否查看此报表。' },
    email_unconfirmed: {
      why: '您的邮箱尚未确认。',
      next: '请打开确认邮件中的链接；可在控制台重新发送。',
    },
    not_found: {
      why: '报表筛选的对象已不存在。',
      next: '请去掉该筛选条件重新创建定时报表，并删除此定时报表。',
    },
    kept: {
      why: '这些日期在此维度下的数据已不再保留。',
      next: '请将定时报表改为较近的日期，或改为按日重新创建。',
    },
    too_many_events: {
      why: '此维度下所选天数过多。',
      next: '请减少定时报表的天数，或用较少的维度重新创建。',
    },
    too_many_rows: {
      why: '报表行数过多。',
      next: '请减少定时报表的天数，或用较少的维度重新创建。',
    },
    other: { why: '文件生成失败。', next: '下次发送时会重试；也可点击“立即发送”。' },
  },
};

export function reportFailure(failure: string | undefined, language: Language): Said {
  const known: Readonly<Partial<Record<string, Said>>> = SAID[language];
  return known[failure ?? 'other'] ?? SAID[language].other;
}
