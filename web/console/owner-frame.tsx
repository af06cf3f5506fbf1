import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { read, useWrite, write } from './api.ts';
import { rolesInstead, routeOfPage } from './may/member.ts';
import { Bell } from './parts/bell.tsx';
import type { Owner } from './parts/identity.ts';
import type { MenuEntry } from './parts/nav.tsx';
import type { PaletteSearch } from './parts/palette-dialog.tsx';
import { PermissionProvider } from './parts/permission.tsx';
import { type ActionEntry, Shell } from './parts/shell.tsx';
import { useMarks, useTexts, wordOf } from './parts/texts.ts';
import { session } from './session.ts';
import { common } from './texts/common.ts';
import { team } from './texts/team.ts';

/** Behind what the first page shows. */
const Keys = lazy(async () => ({ default: (await import('./parts/keys.tsx')).Keys }));

/** The frame of an account's console, advertiser's or publisher's: they differ by their menus alone. */
export function OwnerFrame(props: {
  realm: Owner;
  menu: readonly MenuEntry[];
  /** What people come for, beside the pages of the menu. */
  entries: readonly ActionEntry[];
  search: PaletteSearch;
}) {
  const { realm, ...rest } = props;
  const c = useTexts(common);
  const { data } = useQuery(read(`GET /api/${realm}/auth/profile`));
  const leave = useWrite(write(`POST /api/${realm}/auth/logout`, []));
  return (
    <AsMember role={data?.role}>
      <Shell
        realm={realm}
        head={
          <>
            <Bell realm={realm} />
            <Suspense>
              <Keys bindings={[{ key: 'Ctrl K', label: c.palette, native: true }]} />
            </Suspense>
          </>
        }
        name={useTexts(common).realms[realm]}
        who={data?.nickname ?? data?.username}
        {...rest}
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
  const marks = useMarks();
  const t = useTexts(team);
  const ofRoute = (route: string | null): string | null => {
    const roles = role === undefined ? null : rolesInstead(role, route);
    if (role === undefined || roles === null) return null;
    const words = route?.startsWith('GET') === true ? t.notYours : t.onlyLook;
    return words(
      wordOf(t.roleNames, role),
      roles.map((each) => t.roleNames[each]).join(marks.comma),
    );
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
