import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../../../parts/texts.ts';
import { withdrawal } from '../../../../texts/withdrawal.ts';

/** The pages about money, side by side. */
export function PayoutPages() {
  const t = useTexts(withdrawal);
  const pages = [
    { to: '/publisher/payouts', text: t.withdrawals },
    { to: '/publisher/payouts/accounts', text: t.accounts },
    { to: '/publisher/payouts/transactions', text: t.transactions },
  ];
  return (
    <Group component="nav" aria-label={t.pages} gap="xs">
      {pages.map(({ to, text }) => (
        <Button
          key={to}
          size="compact-md"
          variant="default"
          renderRoot={(props) => (
            <Link
              to={to}
              activeOptions={{ exact: true, includeSearch: false }}
              activeProps={{ 'aria-current': 'page', 'data-variant': 'light' }}
              {...props}
            />
          )}
        >
          {text}
        </Button>
      ))}
    </Group>
  );
}
