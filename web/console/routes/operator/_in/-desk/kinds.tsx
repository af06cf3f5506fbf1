import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { State } from '../../../../parts/state.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { REFRESH_MS } from '../../../../parts/refresh.ts';
import { counts, type TaskKind } from '../../../../queries/operator/task.ts';
import { desk } from '../../../../texts/desk.ts';

/** How many wait of each kind that one reads, those that one decides first; a press shows that kind alone. */
export function Kinds({
  chosen,
  onChoose,
}: {
  chosen: TaskKind | undefined;
  onChoose: (kind: TaskKind | undefined) => void;
}) {
  const t = useTexts(desk);
  const { data } = useQuery({ ...counts, refetchInterval: REFRESH_MS });
  const busiest = (data?.kinds ?? []).toSorted((a, b) => b.open - a.open);
  // Who decides nothing reads what its role may: the sum is of what the list below shows.
  const isReader = data !== undefined && !busiest.some(({ decidable }) => decidable);
  const own = busiest.filter(({ decidable }) => decidable || isReader);
  const kinds = [...own, ...busiest.filter((each) => !own.includes(each))];
  const open = own.reduce((sum, each) => sum + each.open, 0);
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
      {[...shown, ...(isWhole ? empty : [])].map(({ kind, open: waiting, overdue }) => (
        <Button
          key={kind}
          size="compact-md"
          variant={chosen === kind ? 'filled' : 'default'}
          aria-pressed={chosen === kind}
          onClick={() => onChoose(chosen === kind ? undefined : kind)}
        >
          {t.kinds[kind]} · {waiting}
          {overdue > 0 && (
            <>
              {' '}
              <State state="expired" words={t.late(overdue)} />
            </>
          )}
        </Button>
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
