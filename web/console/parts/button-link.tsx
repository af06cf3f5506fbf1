import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { RefusableButton, useForbiddenAt } from './permission.tsx';

type Props = ButtonProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'color' | 'style'> & {
    ref?: Ref<HTMLAnchorElement>;
    children?: ReactNode;
    /** What somebody follows it for, where its page is there for reading too. */
    changes?: string;
  };

/** A link of the router that looks like a button; not a link where the person may not use its page. */
export const ButtonLink = createLink(({ changes, ...props }: Props) => {
  const forbidden = useForbiddenAt(props.href, changes);
  if (forbidden === null) return <Button component="a" {...props} />;
  const { size, variant, mt, children } = props;
  return <RefusableButton {...{ size, variant, mt, children, refusal: forbidden }} />;
});
