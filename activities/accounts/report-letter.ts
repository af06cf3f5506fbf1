import type { Language } from '../../domain/notification-texts.ts';

/** The detail of a letter that says that a report is ready: its title, and pages below the console. */
export interface ReportLetter {
  name: string;
  report: string;
  schedules: string;
}

/**
 * Neither figures nor names of things are in it, and no file: a mailbox is read by more people than the console,
 * where one logs in and roles hold.
 */
export function reportLetter(
  detail: string,
  { language, consoleUrl }: { language: Language; consoleUrl: string },
): { subject: string; lines: string[] } {
  const { name, report, schedules } = JSON.parse(detail) as ReportLetter;
  const [reportUrl, schedulesUrl] = [`${consoleUrl}${report}`, `${consoleUrl}${schedules}`];
  if (language === 'zh') {
    return {
      subject: `报告已生成：${name}`,
      lines: [
        `您的定时报告“${name}”已生成。请登录查看：`,
        '',
        reportUrl,
        '',
        '为安全起见，邮件中不包含任何数据。页面会注明哪些数据尚未最终确定。',
        '',
        '暂停或删除此定时报告：',
        schedulesUrl,
      ],
    };
  }
  return {
    subject: `Your report is ready: ${name}`,
    lines: [
      `your scheduled report “${name}” is ready. Log in to see it:`,
      '',
      reportUrl,
      '',
      'No figures are in this letter, so that nobody else reads them. The page says which are not final yet.',
      '',
      'To pause or delete this schedule:',
      schedulesUrl,
    ],
  };
}
