import { shown } from '../../../../parts/diff-words.ts';
import { formatMoney } from '../../../../parts/money.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import type { AuditEntry } from '../../../../queries/operator/platform.ts';
import { approval } from '../../../../texts/approval.ts';
import { desk } from '../../../../texts/desk.ts';
import { methods } from '../../../../texts/methods.ts';
import { operator } from '../../../../texts/operator.ts';
import { review } from '../../../../texts/review.ts';
import { setting } from '../../../../texts/setting.ts';
import { states } from '../../../../texts/states.ts';
import { team } from '../../../../texts/team.ts';
import { term } from '../../../../texts/term.ts';
import { useShownValue } from '../-shown/setting-value.ts';

type Detail = AuditEntry['detail'];

/** Money, which the log keeps as a bare decimal of the platform's currency. */
const AMOUNTS: ReadonlySet<string> = new Set(['amount', 'total']);
const isAmount = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
/** Of a setting, whose key stands beside them. */
const SET: ReadonlySet<string> = new Set(['before', 'after']);

/** What stands in a field of the log, in words where they are names of ours; anything else as the log has it. */
export function useAuditValue(): (field: string, value: unknown, detail: Detail) => string {
  const { language } = usePreferences();
  const settingAs = useShownValue();
  const state = useTexts(states);
  const { kinds, entities } = useTexts(term);
  const { keys } = useTexts(setting);
  const roles = { ...useTexts(team).roleNames, ...useTexts(operator).roles };
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    kind: { ...useTexts(approval).kinds, ...useTexts(desk).kinds, ...kinds },
    decision: useTexts(review).decisions,
    role: roles,
    before: roles,
    after: roles,
    channel: useTexts(methods),
    key: keys,
    // Of an approval: a setting goes by what it says.
    subject: keys,
    entity_type: entities,
    status: state,
    audit_status: state,
    verify_status: state,
  };
  return (field, value, { key }) => {
    if (AMOUNTS.has(field) && isAmount(value)) return formatMoney(Number(value), language);
    if (typeof key === 'string' && SET.has(field) && value !== null) return settingAs(key, value);
    if (field === 'ppm') return settingAs('_ppm', value);
    const known = words[field];
    return known !== undefined && typeof value === 'string' ? wordOf(known, value) : shown(value);
  };
}
