import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PAYOUT_STAGES, type PayoutStage } from '../../../../../../domain/payout-stage.ts';
import { Money } from '../../../../parts/money.tsx';
import { useMarks, useTexts } from '../../../../parts/texts.ts';
import { Since } from '../../../../parts/time.tsx';
import { REFRESH_MS } from '../../../../parts/refresh.ts';
import { stages } from '../../../../queries/operator/money.ts';
import { payoutBoard } from '../../../../texts/payout-board.ts';
import { OldFiles } from '../-shown/old-files.tsx';
import classes from './-board.module.css';

/** How many stand where and what they come to; each narrows the list to its own. */
export function Board(props: {
  chosen: PayoutStage | undefined;
  onChoose: (stage: PayoutStage | undefined) => void;
}) {
  const { chosen, onChoose } = props;
  const t = useTexts(payoutBoard);
  const { colon } = useMarks();
  const { data } = useQuery({ ...stages, refetchInterval: REFRESH_MS });
  const [isWhole, setWhole] = useState(false);
  const filled = new Set(data?.items.map(({ stage }) => stage));
  const empty =
    data === undefined
      ? 0
      : PAYOUT_STAGES.filter((stage) => !filled.has(stage) && stage !== chosen).length;
  const oldFiles = data?.old_files.map((file) => ({ ...file, at: file.bank_has_it_at })) ?? [];
  return (
    <>
      <OldFiles files={oldFiles} />
      <div className={classes['board']} role="group" aria-label={t.board} data-whole={isWhole}>
        {PAYOUT_STAGES.map((stage) => {
          const sums = data?.items.filter((each) => each.stage === stage) ?? [];
          const [oldest = null] = sums.map(({ since }) => since).toSorted();
          return (
            <button
              key={stage}
              type="button"
              className={classes['stage']}
              aria-pressed={chosen === stage}
              data-empty={sums.length === 0 && chosen !== stage}
              onClick={() => onChoose(chosen === stage ? undefined : stage)}
            >
              <span>{t.stages[stage]}</span>
              <span className={classes['count']}>
                {data === undefined ? '…' : sums.reduce((sum, { count }) => sum + count, 0)}
              </span>
              {sums.map(({ currency, arrival_amount: amount }) => (
                <Money key={currency} amount={amount} currency={currency} />
              ))}
              {oldest !== null && (
                <span className={classes['more']}>
                  {t.since}
                  {colon}
                  <Since at={oldest} />
                </span>
              )}
            </button>
          );
        })}
      </div>
      {empty > 0 && (
        <Button
          size="compact-md"
          variant="subtle"
          hiddenFrom="xs"
          w="fit-content"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t.fewerStages : t.emptyStages(empty)}
        </Button>
      )}
    </>
  );
}
