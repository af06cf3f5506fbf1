import { createContext, use } from 'react';
import type { FieldRule } from '../../client/form-rules.ts';
import type { RouteName } from '../../client/client.ts';
import { rules } from '../texts/rules.ts';
import { isStale } from './stale.tsx';
import { type Same, useTexts } from './texts.ts';

/** The route that a form's values go to. */
export const FormRoute = createContext<RouteName | undefined>(undefined);

/**
 * Says of a field what its route's schema would, before anything is sent; the rules come when the
 * first form is judged. What they do not know (a host, another field) the route says itself.
 */
export function useFieldRule(name: string): (value: unknown) => Promise<string | true> {
  const route = use(FormRoute);
  const t = useTexts(rules);
  return async (value) => {
    if (route === undefined) return true;
    return faultOf(value, await ruleOf(route, name), t) ?? true;
  };
}

/** None in a page of an older version, whose rules are gone: then the route says itself what is wrong. */
async function ruleOf(route: RouteName, name: string): Promise<FieldRule> {
  try {
    const { FORM_RULES } = await import('../../client/form-rules.ts');
    return FORM_RULES[route]?.[name] ?? {};
  } catch (error) {
    if (error instanceof Error && isStale(error)) return {};
    throw error;
  }
}

type Words = Same<(typeof rules)['en']>;

/** Lengths as the routes count them, without the spaces around; an empty field is another's matter. */
function faultOf(value: unknown, rule: FieldRule, t: Words): string | undefined {
  if (typeof value === 'string') {
    const { length } = value.trim();
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = rule;
    if (length > maxLength) return t.tooLong(maxLength);
    return length > 0 && length < minLength ? t.tooShort(minLength) : undefined;
  }
  if (typeof value !== 'number') return undefined;
  const { minimum, maximum, exclusiveMinimum, whole } = rule;
  if (minimum !== undefined && value < minimum) return t.atLeast(minimum);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return t.over(exclusiveMinimum);
  if (maximum !== undefined && value > maximum) return t.atMost(maximum);
  return whole === true && !Number.isInteger(value) ? t.whole : undefined;
}
