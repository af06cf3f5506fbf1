import type { ReactNode } from 'react';
import { rolesInstead, routeOfPage } from './may/member.ts';
import { PermissionProvider } from './parts/permission.tsx';
import { useTexts, wordOf } from './parts/texts.ts';
import { team } from './texts/team.ts';

/** Everything below it is disabled, with the reason, where this role of an account may not use it. */
export function AsMember({ role, children }: { role: string | undefined; children: ReactNode }) {
  const t = useTexts(team);
  const ofRoute = (route: string | null): string | null => {
    const roles = role === undefined ? null : rolesInstead(role, route);
    if (role === undefined || roles === null) return null;
    const words = route?.startsWith('GET') === true ? t.notYours : t.onlyLook;
    return words(wordOf(t.roleNames, role), roles.map((each) => t.roleNames[each]).join(', '));
  };
  return (
    <PermissionProvider
      value={{
        isKnown: role !== undefined,
        ofRoute,
        ofPage: (address) => ofRoute(routeOfPage(address)),
      }}
    >
      {children}
    </PermissionProvider>
  );
}
