import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useContext, useState } from 'react';
import { DECIDER_OF, mayRead } from '../../../../../../domain/task-rules.ts';
import { RefusableButton } from '../../../../parts/permission.tsx';
import { State } from '../../../../parts/state.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { counts, type TaskKind } from '../../../../queries/operator/task.ts';
import { desk } from '../../../../texts/desk.ts';
import { operator } from '../../../../texts/operator.ts';
import { MyRole } from '../-shown/my-role.ts';

const REFRESH_MS = 15_000;

/** How many wait of each kind, those that one decides first; a press shows that kind alone. */
export function Kinds({
  chosen,
  onChoose,
}: {
  chosen: TaskKind | undefined;
  onChoose: (kind: TaskKind | undefined) => void;
}) {
  const t = useTexts(desk);
  const roles = useTexts(operator).roles;
  const { data } = useQuery({ ...counts, refetchInterval: REFRESH_MS });
  const busiest = (data?.kinds ?? []).toSorted((a, b) => b.open - a.open);
  // Who decides nothing reads what its role may: the counts are of what the list below shows.
  const isReader = data !== undefined && !busiest.some(({ decidable }) => decidable);
  const role = useContext(MyRole);
  const isListed = ({ kind, decidable }: (typeof busiest)[number]): boolean =>
    decidable || (isReader && role !== undefined && mayRead(role, kind));
  const kinds = [...busiest.filter(isListed), ...busiest.filter((each) => !isListed(each))];
  const open = kinds.filter(isListed).reduce((sum, each) => sum + each.open, 0);
  const refusalOf = (kind: TaskKind): string => t.notYours(roles[DECIDER_OF[kind]]);
  const [isWhole, setWhole] = useState(false);
  const shown = kinds.filter((each) => each.open > 0 || each.kind === chosen);
  // Where nothing waits of what one decides: a press away, since its tasks may still be looked for.
  const empty = kinds.filter((each) => each.decidable && !shown.includes(each));
  return (
    <Group gap="xs" role="group" aria-label={t.kind}>
      <Button
        size="compact-md"
        variant={chosen === undefined ? 'filled' : 'default'}
        aria-pressed={chosen === undefined}
        onClick={() => onChoose(undefined)}
      >
        {isReader ? t.whole : t.allKinds} · {open}
      </Button>
      {[...shown, ...(isWhole ? empty : [])].map((each) => {
        const { kind, open: waiting, overdue } = each;
        return (
          <RefusableButton
            key={kind}
            size="compact-md"
            variant={chosen === kind ? 'filled' : 'default'}
            aria-pressed={chosen === kind}
            refusal={isListed(each) ? null : refusalOf(kind)}
            onClick={() => onChoose(chosen === kind ? undefined : kind)}
          >
            {t.kinds[kind]} · {waiting}
            {overdue > 0 && (
              <>
                {' '}
                <State state="expired" words={t.late(overdue)} />
              </>
            )}
          </RefusableButton>
        );
      })}
      {empty.length > 0 && (
        <Button
          size="compact-md"
          variant="subtle"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t.fewerKinds : t.emptyKinds(empty.length)}
        </Button>
      )}
    </Group>
  );
}
