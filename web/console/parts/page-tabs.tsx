import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** Parts of a page, one at a time, as its address says; the first one is the address alone. */
export function PageTabs<Tab extends string>({
  tabs,
  names,
  current,
  children,
}: {
  tabs: readonly Tab[];
  names: Readonly<Record<Tab, string>>;
  current: Tab;
  /** A `Tabs.Panel` for each. */
  children: ReactNode;
}) {
  const navigate = useNavigate();
  const choose = (next: string | null): void =>
    void navigate({
      to: '.',
      search: (next === null || next === tabs[0] ? {} : { tab: next }) as never,
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
