import { Burger } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { FOLDERS, type Realm } from '../session.ts';
import { common } from '../texts/common.ts';
import { AccountPreferences } from './account-preferences.tsx';
import { useFocusKept } from './focus.ts';
import { Menu, MenuItem, MenuLink } from './menu.tsx';
import { type MenuEntry, Nav } from './nav.tsx';
import { Palette } from './palette.tsx';
import type { PaletteEntry, PaletteSearch } from './palette-dialog.tsx';
import { usePermission } from './permission.tsx';
import { PreferencesMenu } from './preferences-menu.tsx';
import { RowButton } from './row-button.tsx';
import { RowLink } from './row-link.tsx';
import classes from './shell.module.css';
import { StepUp } from './step-up.tsx';
import { useTexts } from './texts.ts';
import { hush, refused } from './toast.ts';

/** Something that the palette offers, to those that may call its route. */
export interface ActionEntry extends PaletteEntry {
  route?: string;
}

interface ShellProps {
  realm: Realm;
  /** Whose console it is: "Advertiser". */
  name: string;
  who: string | undefined;
  menu: readonly MenuEntry[];
  /** What the palette offers beside the menu. */
  entries?: readonly ActionEntry[];
  search?: PaletteSearch;
  logOut: () => Promise<unknown>;
  /** In the head, such as a balance or a bell. */
  head?: ReactNode;
  /** What stands where the page would, for who may not open it. */
  instead?: ReactNode;
}

/** The frame of every page behind a login. */
export function Shell(props: ShellProps) {
  const { realm, name, who, search, head, instead } = props;
  const t = useTexts(common);
  const [opened, { toggle, close }] = useDisclosure();
  useFocusKept();
  const { ofRoute } = usePermission();
  const menu = props.menu.map((entry) => ({
    ...entry,
    refusal: entry.refusal ?? (entry.route === undefined ? null : ofRoute(entry.route)),
  }));
  const pages = [
    ...menu.filter(({ refusal }) => refusal === null).map(({ to, text }) => ({ label: text, to })),
    { label: t.security, to: `/${FOLDERS[realm]}/security` },
    { label: t.profile, to: `/${FOLDERS[realm]}/profile` },
  ].filter(({ to }, index, all) => all.findIndex((each) => each.to === to) === index);
  const entries = (props.entries ?? []).filter(
    ({ route }) => route === undefined || ofRoute(route) === null,
  );
  return (
    <div className={classes['shell']}>
      <a className="skip-link" href="#content">
        {t.skip}
      </a>
      <header className={classes['head']}>
        <div className={classes['side']}>
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="md"
            size="sm"
            aria-label={t.menu}
            aria-expanded={opened}
          />
          <RowLink className={classes['product']} to={`/${FOLDERS[realm]}`}>
            {t.product}
          </RowLink>
          <span className={classes['name']}>{name}</span>
        </div>
        <div className={classes['side']}>
          {head}
          <Palette entries={[...pages, ...entries]} {...(search === undefined ? {} : { search })} />
          <PreferencesMenu realm={realm} />
          <AccountMenu {...props} who={who} />
        </div>
      </header>
      <nav className={classes['nav']} aria-label={t.menu} data-opened={opened || undefined}>
        <Nav menu={menu} close={close} />
      </nav>
      <main className={classes['content']} id="content" tabIndex={-1}>
        {instead ?? <Outlet />}
      </main>
      <StepUp />
      <AccountPreferences realm={realm} />
    </div>
  );
}

function AccountMenu({ realm, who, logOut }: Pick<ShellProps, 'realm' | 'who' | 'logOut'>) {
  const t = useTexts(common);
  const navigate = useNavigate();
  const leave = async (): Promise<void> => {
    try {
      await logOut();
    } catch (error) {
      // The session lasts: somebody who leaves the room has to know.
      refused(error as Error);
      return;
    }
    hush();
    await navigate({ to: `/${FOLDERS[realm]}/login` });
  };
  return (
    <Menu
      button={(props) => (
        <RowButton look="quiet" aria-label={who ?? t.profile} {...props}>
          <span className={classes['who']}>{who ?? '…'}</span>
        </RowButton>
      )}
    >
      <MenuLink to={`/${FOLDERS[realm]}/security`}>{t.security}</MenuLink>
      <MenuLink to={`/${FOLDERS[realm]}/profile`}>{t.profile}</MenuLink>
      <MenuItem onClick={() => void leave()}>{t.logOut}</MenuItem>
    </Menu>
  );
}
