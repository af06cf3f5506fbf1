import { Badge, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DECIDER_OF } from '../../../../../../domain/task-rules.ts';
import { RefusableButton } from '../../../../parts/permission.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { counts, type TaskKind } from '../../../../queries/operator/task.ts';
import { desk } from '../../../../texts/desk.ts';
import { operator } from '../../../../texts/operator.ts';

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
  const kinds = [
    ...busiest.filter(({ decidable }) => decidable),
    ...busiest.filter(({ decidable }) => !decidable),
  ];
  // Who decides nothing reads all of it: the counts are of what the list below shows.
  const isReader = data !== undefined && !kinds.some(({ decidable }) => decidable);
  const open = kinds
    .filter(({ decidable }) => decidable || isReader)
    .reduce((sum, each) => sum + each.open, 0);
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
      {[...shown, ...(isWhole ? empty : [])].map(({ kind, open: waiting, overdue, decidable }) => (
        <RefusableButton
          key={kind}
          size="compact-md"
          variant={chosen === kind ? 'filled' : 'default'}
          aria-pressed={chosen === kind}
          refusal={decidable || isReader ? null : refusalOf(kind)}
          onClick={() => onChoose(chosen === kind ? undefined : kind)}
        >
          {t.kinds[kind]} · {waiting}
          {overdue > 0 && (
            <Badge size="sm" color="red.8" ml={6}>
              {t.late(overdue)}
            </Badge>
          )}
        </RefusableButton>
      ))}
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
