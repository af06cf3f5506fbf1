import { shown } from '../../../../parts/diff-words.ts';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { approval } from '../../../../texts/approval.ts';
import { desk } from '../../../../texts/desk.ts';
import { methods } from '../../../../texts/methods.ts';
import { operator } from '../../../../texts/operator.ts';
import { review } from '../../../../texts/review.ts';
import { setting } from '../../../../texts/setting.ts';
import { states } from '../../../../texts/states.ts';
import { team } from '../../../../texts/team.ts';
import { term } from '../../../../texts/term.ts';

/** What stands in a field of the log, in words where they are names of ours; anything else as the log has it. */
export function useAuditValue(): (field: string, value: unknown) => string {
  const state = useTexts(states);
  const { kinds, entities } = useTexts(term);
  const { keys } = useTexts(setting);
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    kind: { ...useTexts(approval).kinds, ...useTexts(desk).kinds, ...kinds },
    decision: useTexts(review).decisions,
    role: { ...useTexts(team).roleNames, ...useTexts(operator).roles },
    channel: useTexts(methods),
    key: keys,
    // Of an approval: a setting goes by what it says.
    subject: keys,
    entity_type: entities,
    status: state,
    audit_status: state,
    verify_status: state,
  };
  return (field, value) => {
    const known = words[field];
    return known !== undefined && typeof value === 'string' ? wordOf(known, value) : shown(value);
  };
}
