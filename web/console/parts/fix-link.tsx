import { ButtonLink } from './button-link.tsx';
import { linkTo } from './link-to.ts';

/**
 * Leads from a reason to what mends it, or from a step to where it is taken; disabled with why where `changes`, a
 * route, is not this person's.
 */
export const fixLink = (to: string, text: string, changes?: string) => (
  <ButtonLink
    {...linkTo(to)}
    {...(changes === undefined ? {} : { changes })}
    size="compact-sm"
    variant="default"
  >
    {text}
  </ButtonLink>
);
