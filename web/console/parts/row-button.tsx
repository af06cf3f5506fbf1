import type { ButtonHTMLAttributes, Ref } from 'react';
import classes from './row-button.module.css';

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'style'> & {
  ref?: Ref<HTMLButtonElement>;
  /** `quiet` is words alone, `icon` a sign alone. */
  look?: 'framed' | 'quiet' | 'icon';
  /** Why it cannot be pressed now. */
  refusal?: string | null;
  isBusy?: boolean;
};

/** A button of a list's row. Plain: a list has sixty of them, and a full one costs as much as the rest of its row. */
export function RowButton({
  look = 'framed',
  refusal = null,
  isBusy = false,
  onClick,
  ...rest
}: Props) {
  const isRefused = refusal !== null;
  const looks = look === 'icon' ? `${classes['quiet']} ${classes['icon']}` : classes[look];
  return (
    <button
      type="button"
      {...rest}
      className={`${classes['button']} ${looks ?? ''}`}
      aria-disabled={isRefused || undefined}
      aria-description={refusal ?? undefined}
      aria-busy={isBusy || undefined}
      title={refusal ?? undefined}
      onClick={(event) => {
        if (!isRefused && !isBusy) onClick?.(event);
      }}
    />
  );
}
