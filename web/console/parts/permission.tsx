import { Alert, Button, type ButtonProps } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import {
  createContext,
  lazy,
  type MouseEvent,
  type ReactNode,
  Suspense,
  useContext,
  useRef,
} from 'react';

/** Most people may press everything that they see. */
const Tooltip = lazy(async () => ({ default: (await import('./why-not.tsx')).WhyNot }));

/** Why the person may not change something, in words, or null. */
export interface Permission {
  /** Before it is known who asks, nothing is refused. */
  isKnown: boolean;
  /** What a route changes. */
  ofRoute: (route: string) => string | null;
  /** What the page at an address changes. */
  ofPage: (address: string) => string | null;
}

const Given = createContext<Permission>({
  isKnown: true,
  ofRoute: () => null,
  ofPage: () => null,
});

/** What everything below asks before it can be pressed; where none is given, the API decides alone. */
export const PermissionProvider = Given.Provider;

export const usePermission = (): Permission => useContext(Given);

/** Of a route, or of what the page shown changes. */
export function useForbidden(route?: string): string | null {
  const given = useContext(Given);
  const pathname = useLocation({ select: (at) => at.pathname });
  return route === undefined ? given.ofPage(pathname) : given.ofRoute(route);
}

/** A page that is there only to change something. */
const IS_FORM = /\/(?:new|generate|edit)$/;

/** Of a link: null where the page it leads to can also be read, and nobody says that it is followed to change it. */
export function useForbiddenAt(href: string | undefined, changes?: string): string | null {
  const given = useContext(Given);
  if (changes !== undefined) return given.ofRoute(changes);
  const path = href?.split(/[?#]/)[0] ?? '';
  return IS_FORM.test(path) ? given.ofPage(path) : null;
}

/** On top of a page on which somebody can only read. */
export function OnlyReads() {
  const words = useForbidden();
  if (words === null) return null;
  return (
    <Alert color="gray" variant="light" role="note" py="xs">
      {words}
    </Alert>
  );
}

type Look = ButtonProps & {
  type?: 'button' | 'submit';
  'aria-busy'?: boolean;
  'aria-haspopup'?: 'dialog';
  'aria-pressed'?: boolean;
  onClick?: (event: MouseEvent) => void;
  children: ReactNode;
};

/** A button that stays where it is and says why it cannot be pressed. */
export function RefusableButton({
  refusal,
  onClick,
  ...look
}: Look & { refusal: string | null | undefined }) {
  const isRefused = refusal !== undefined && refusal !== null;
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button
        {...look}
        ref={button}
        data-disabled={isRefused || undefined}
        aria-disabled={isRefused}
        aria-description={refusal ?? undefined}
        onClick={(event) => {
          if (isRefused) event.preventDefault();
          else onClick?.(event);
        }}
      />
      {isRefused && (
        <Suspense>
          <Tooltip label={refusal} target={button} />
        </Suspense>
      )}
    </>
  );
}
