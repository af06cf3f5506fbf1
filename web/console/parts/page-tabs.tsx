import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** Parts of a page, or of a section of it, one at a time, as its address says; the first one is the address alone. */
export function PageTabs<Tab extends string>({
  tabs,
  first = tabs[0],
  names,
  current,
  children,
}: {
  tabs: readonly Tab[];
  /** What the address alone shows, where that is not the first one. */
  first?: Tab | undefined;
  names: Readonly<Record<Tab, string>>;
  current: Tab;
  /** A `Tabs.Panel` for each. */
  children: ReactNode;
}) {
  const navigate = useNavigate();
  const choose = (next: string | null): void =>
    void navigate({
      to: '.',
      search: (next === null || next === first ? {} : { tab: next }) as never,
      // They may stand far below the head of the page.
      resetScroll: false,
    });
  return (
    <Tabs value={current} onChange={choose} keepMounted={false}>
      <Tabs.List mb="md">
        {tabs.map((tab) => (
          <Tabs.Tab key={tab} value={tab}>
            {names[tab]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {children}
    </Tabs>
  );
}
