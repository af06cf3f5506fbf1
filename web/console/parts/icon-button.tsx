import type { ButtonHTMLAttributes, Ref } from 'react';
import classes from './icon-button.module.css';

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'> & {
  ref?: Ref<HTMLButtonElement>;
};

/** A sign in the head of every page, named by its `aria-label`. */
export const IconButton = (props: Props) => (
  <button type="button" {...props} className={classes['icon']} />
);
