import { type HeadedTask, taskTitle, type TitleWords } from '../../../domain/task-heading.ts';
import { texts } from '../parts/texts.ts';
import { taskTitleInChinese } from './task-title-zh.ts';

/** What a task is called. */
export const taskTitles = texts({
  en: { title: (task: HeadedTask, words: TitleWords) => taskTitle(task, words) },
  zh: { title: taskTitleInChinese },
});
