import { history } from '../history.ts';
import { methods } from '../methods.ts';
import { operator } from '../operator.ts';
import { review } from '../review.ts';
import { states } from '../states.ts';
import { catalogueWith } from './catalogue-zh.ts';
import { fieldNames } from './field-names-zh.ts';

/** What is filled in: fields, states, what is done, roles. */
const FILLED_IN: Readonly<Record<string, string>> = {
  ...fieldNames,
  ...history.zh.verbs,
  ...review.zh.codes,
  ...review.zh.decisions,
  ...operator.zh.roles,
  ...methods.zh,
  ...states.zh,
  WEB: '网站',
  APP: '应用',
  MINI_PROGRAM: '小程序',
  IMAGE: '图片',
  VIDEO: '视频',
};

/** A message of the API in Chinese; as it was sent where it is not known. */
export const inChinese = catalogueWith(FILLED_IN);

/** What the last part of `bank_info.country` is called; undefined where it has no name. */
export function fieldInChinese(field: string): string | undefined {
  const name = field.split(/[.[\]]/).findLast((part) => /[a-z]/.test(part)) ?? '';
  return Object.hasOwn(fieldNames, name) ? fieldNames[name] : undefined;
}
