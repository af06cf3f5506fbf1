import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { read, useWrite, write } from './api.ts';
import { rolesInstead, routeOfPage } from './may/member.ts';
import { Bell } from './parts/bell.tsx';
import type { Owner } from './parts/identity.ts';
import type { MenuEntry } from './parts/nav.tsx';
import { PermissionProvider } from './parts/permission.tsx';
import { Shell } from './parts/shell.tsx';
import { useTexts, wordOf } from './parts/texts.ts';
import { session } from './session.ts';
import { auth } from './texts/auth.ts';
import { team } from './texts/team.ts';

/** The frame of an account's console, advertiser's or publisher's: they differ by their menus alone. */
export function OwnerFrame({ realm, menu }: { realm: Owner; menu: readonly MenuEntry[] }) {
  const { data } = useQuery(read(`GET /api/${realm}/auth/profile`));
  const leave = useWrite(write(`POST /api/${realm}/auth/logout`, []));
  return (
    <AsMember role={data?.role}>
      <Shell
        realm={realm}
        head={<Bell realm={realm} />}
        name={useTexts(auth)[realm]}
        who={data?.nickname ?? data?.username}
        menu={menu}
        logOut={async () => {
          await leave.mutateAsync({});
          session.end(realm);
        }}
      />
    </AsMember>
  );
}

/** Everything below it is disabled, with the reason, where this role of an account may not use it. */
function AsMember({ role, children }: { role: string | undefined; children: ReactNode }) {
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
