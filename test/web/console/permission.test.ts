import { isDeepStrictEqual } from 'node:util';
import { rolesInstead, routeOfPage } from '../../../web/console/may/member.ts';
import { MEMBER_ROUTES } from '../../../web/client/member-routes.ts';
import { type Pressed, pressed } from '../../support/console-controls.ts';

/** What can be pressed asks the roles of what it sends (interface 5.6), no more and no fewer. */
const ROLES = ['ADMIN', 'EDITOR', 'FINANCE', 'VIEWER'];
const OF_API: Readonly<Record<string, readonly string[]>> = MEMBER_ROUTES;

const ROUTES = Object.keys(OF_API).filter((route) => /\/api\/(advertiser|publisher)\//.test(route));

/** By the API; a door that asks for no token lets everybody in. */
const mayCall = (route: string): string =>
  ROLES.filter((role) => OF_API[route]?.includes(role) ?? true).join(' ');

/** By the consoles. */
const mayPress = (route: string | null): string =>
  ROLES.filter((role) => rolesInstead(role, route) === null).join(' ');

/** What a control that names no route asks: the page's, where its file belongs to one page alone. */
function mayPressAt(at: string): string {
  const [, realm, section] = /^routes\/(\w+)\/_in\/([\w-]+)/.exec(at) ?? [];
  if (section === undefined || section.startsWith('-')) return 'of whichever page it is on';
  return mayPress(routeOfPage(`/${realm}/${section}`));
}

function wrongOf({ at, sends, asks }: Pressed) {
  const called = new Set(sends.map(mayCall));
  const asked = new Set(asks.map((route) => (route === null ? mayPressAt(at) : mayPress(route))));
  return isDeepStrictEqual(called, asked) ? [] : [{ at, sends: [...called], asks: [...asked] }];
}

test('every route of an account · as the consoles know it · is for those that the API lets', () => {
  expect(ROUTES.length).toBeGreaterThan(100);
  expect(ROUTES.filter((route) => mayPress(route) !== mayCall(route))).toEqual([]);
});

test('what sends something · in any function of the consoles · asks the roles of what it sends', () => {
  const all = pressed();
  expect(all.length).toBeGreaterThan(40);
  expect(all.flatMap(wrongOf)).toEqual([]);
});

test.each(['advertiser', 'publisher'])(
  'the login of a member of %s · is changed by every role',
  (realm) => {
    for (const page of ['security', 'profile']) {
      expect(mayPress(routeOfPage(`/${realm}/${page}`))).toBe(ROLES.join(' '));
    }
  },
);
