import { AppShell, Burger, Button, Group, Menu, NavLink, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { FOLDERS, type Realm } from '../session.ts';
import { common } from '../texts/common.ts';
import { Palette, type PaletteEntry } from './palette.tsx';
import { usePermission } from './permission.tsx';
import { PreferencesMenu } from './preferences-menu.tsx';
import { useTexts } from './texts.ts';
import { hush } from './toast.ts';

export interface MenuEntry {
  to: string;
  text: string;
  /** Shown beside it, such as how many wait. */
  badge?: ReactNode;
  /** Only this address, not those below it. */
  exact?: boolean;
  /** Under which word it stands with its neighbours. */
  group?: string | undefined;
  /** Why it cannot be opened: shown disabled with these words. */
  refusal?: string | null;
  /** What it cannot be opened without: roles are asked for it. */
  route?: string;
}

interface ShellProps {
  realm: Realm;
  /** Whose console it is: "Advertiser". */
  name: string;
  who: string | undefined;
  menu: readonly MenuEntry[];
  /** What the palette offers beside the menu. */
  entries?: readonly PaletteEntry[];
  search?: (text: string) => Promise<readonly PaletteEntry[]>;
  logOut: () => Promise<unknown>;
  /** In the head, such as a balance or a bell. */
  head?: ReactNode;
}

/** The frame of every page behind a login. */
export function Shell(props: ShellProps) {
  const { realm, name, who, entries = [], search, head } = props;
  const t = useTexts(common);
  const [opened, { toggle, close }] = useDisclosure();
  const { ofRoute } = usePermission();
  const menu = props.menu.map((entry) => ({
    ...entry,
    refusal: entry.refusal ?? (entry.route === undefined ? null : ofRoute(entry.route)),
  }));
  const pages = menu
    .filter(({ refusal }) => refusal === null)
    .map(({ to, text }) => ({ label: text, to }));
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a className="skip-link" href="#content">
        {t.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="sm" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t.menu}
              aria-expanded={opened}
            />
            <Text
              fw={700}
              component={Link}
              to={`/${FOLDERS[realm]}`}
              c="inherit"
              td="none"
              visibleFrom="xs"
            >
              {t.product}
            </Text>
            <Text size="sm" c="dimmed">
              {name}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            {head}
            <Palette
              entries={[...pages, ...entries]}
              {...(search === undefined ? {} : { search })}
            />
            <PreferencesMenu />
            <AccountMenu {...props} who={who} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t.menu}>
        <ScrollArea>
          {groupsOf(menu).map(({ group, entries: those }) => (
            <div key={group ?? ''}>
              {group !== undefined && (
                <Text size="xs" fw={600} c="dimmed" px="xs" pt="sm">
                  {group}
                </Text>
              )}
              {those.map((entry) => (
                <Entry key={entry.to} entry={entry} close={close} />
              ))}
            </div>
          ))}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      <Suspense>
        <StepUpDialog />
      </Suspense>
    </AppShell>
  );
}

/** Neighbours under one word; what has none stands alone. */
function groupsOf(menu: readonly MenuEntry[]) {
  const groups: { group: string | undefined; entries: MenuEntry[] }[] = [];
  for (const entry of menu) {
    const last = groups.at(-1);
    if (last !== undefined && last.group === entry.group) last.entries.push(entry);
    else groups.push({ group: entry.group, entries: [entry] });
  }
  return groups;
}

/** What it asks with comes after the first page. */
const StepUpDialog = lazy(async () => {
  const { StepUpDialog: dialog } = await import('./step-up-dialog.tsx');
  return { default: dialog };
});

function Entry({ entry, close }: { entry: MenuEntry; close: () => void }) {
  const { to, text, badge, exact, refusal = null } = entry;
  if (refusal !== null) {
    return (
      <NavLink
        component="span"
        role="link"
        label={text}
        rightSection={badge}
        title={refusal}
        aria-description={refusal}
        aria-disabled
        c="dimmed"
        style={{ cursor: 'not-allowed' }}
      />
    );
  }
  return (
    <NavLink
      label={text}
      rightSection={badge}
      onClick={close}
      renderRoot={(rest) => (
        <Link
          to={to}
          activeOptions={{ exact: exact === true, includeSearch: false }}
          activeProps={{ 'data-active': true, 'aria-current': 'page' }}
          {...rest}
        />
      )}
    />
  );
}

function AccountMenu({ realm, who, logOut }: Pick<ShellProps, 'realm' | 'who' | 'logOut'>) {
  const t = useTexts(common);
  const navigate = useNavigate();
  const leave = async (): Promise<void> => {
    await logOut();
    hush();
    await navigate({ to: `/${FOLDERS[realm]}/login` });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          maw={{ base: 92, xs: 160 }}
          aria-label={who ?? t.profile}
        >
          <Text size="sm" truncate>
            {who ?? '…'}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={`/${FOLDERS[realm]}/security`}>
          {t.security}
        </Menu.Item>
        <Menu.Item component={Link} to={`/${FOLDERS[realm]}/profile`}>
          {t.profile}
        </Menu.Item>
        <Menu.Item onClick={() => void leave()}>{t.logOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
