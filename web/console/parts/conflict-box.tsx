import { Alert, Button, Group } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { conflict } from '../texts/conflict.ts';
import { changesBetween } from './diff.tsx';
import { DiffTable } from './diff-table.tsx';
import { useTexts } from './texts.ts';

/** Stands at the button that was pressed, where whoever pressed it looks; keeping sends what the form says now. */
export function ConflictBox(props: {
  theirs: object;
  names: Record<string, string>;
  onKeep: () => void;
  onTake: () => void;
}) {
  const { theirs, names, onKeep, onTake } = props;
  const t = useTexts(conflict);
  const mine = useWatch();
  const box = useRef<HTMLDivElement>(null);
  // The button stood at the edge of a phone's screen: the choice takes its place, and is longer.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <Alert ref={box} color="yellow" variant="light" title={t.conflict} role="alert">
      {t.conflictHelp}
      <DiffTable changes={changesBetween(theirs, mine)} names={names} heads={[t.theirs, t.mine]} />
      <Group mt="sm">
        <Button size="sm" type="submit" onClick={onKeep}>
          {t.keepMine}
        </Button>
        <Button size="sm" variant="default" onClick={onTake}>
          {t.takeTheirs}
        </Button>
      </Group>
    </Alert>
  );
}
