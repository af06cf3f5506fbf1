import { Alert, Badge, Card, Group, Stack, Table, Text, Title } from '@mantine/core';
import { Facts } from '../../../../parts/facts.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { formatMoney, Money } from '../../../../parts/money.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { formatDay } from '../../../../parts/time.tsx';
import { type Position as Answered, position } from '../../../../queries/operator/statement.ts';
import { statement } from '../../../../texts/statement.ts';
import { PageLink } from '../-shown/page-link.tsx';
import { RefundLink } from './-refund-link.tsx';

type Account = Answered['accounts'][number];

/** What the bank has beyond our books, account by account, and what that is made of. */
export function Position() {
  const t = useTexts(statement);
  return (
    <Stack gap="sm" component="section" aria-label={t.position} my="lg">
      <Title order={2}>{t.position}</Title>
      <Loaded query={position} height={80}>
        {({ accounts }) =>
          accounts.length === 0 ? (
            <Text size="sm">{t.noPosition}</Text>
          ) : (
            <Stack gap="sm">
              {accounts.map((account) => (
                <OfAccount key={account.account} account={account} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Stack>
  );
}

function OfAccount({ account }: { account: Account }) {
  const t = useTexts(statement);
  const { language } = usePreferences();
  const { difference, gap, items } = account;
  const isEven = difference === 0 && gap === 0 && account.open === 0;
  return (
    <Card withBorder padding="sm">
      <Stack gap="xs">
        <Text fw={600}>{account.account}</Text>
        <Text size="sm">{t.positionLead(account.since, account.until)}</Text>
        <Alert color={isEven ? 'teal' : 'yellow'} variant="light" role="status">
          {isEven ? t.agrees : t.differs(formatMoney(difference, language))}
        </Alert>
        <Facts
          rows={[
            [t.stands, <Money key="s" amount={account.stands} />],
            [t.open, account.open],
            ...(gap === 0 ? [] : ([[t.gap, <Money key="g" amount={gap} />]] as const)),
          ]}
        />
        {gap !== 0 && <Text size="sm">{t.gapHelp}</Text>}
        {items.length > 0 && <Items items={items} />}
      </Stack>
    </Card>
  );
}

function Items({ items }: { items: Account['items'] }) {
  const t = useTexts(statement);
  const { language } = usePreferences();
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.day}</Table.Th>
            <Table.Th>{t.what}</Table.Th>
            <Table.Th className="number">{t.amount}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((each) => (
            <Table.Tr
              key={`${each.item} ${each.line_id} ${each.receipt_id} ${each.withdrawal_id} ${each.refund_id}`}
            >
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatDay(each.day, language)}</Table.Td>
              <Table.Td>
                <Group gap="xs">
                  <span>{t.items[each.item]}</span>
                  {each.is_late && (
                    <Badge color="red" variant="light">
                      {t.late}
                    </Badge>
                  )}
                  {each.statement_id !== null && (
                    <PageLink to={`/operator/statements/${each.statement_id}`}>
                      {t.toStatement(each.statement_id)}
                    </PageLink>
                  )}
                  {each.withdrawal_id !== null && (
                    <PageLink to={`/operator/withdrawals/${each.withdrawal_id}`}>
                      {t.withdrawalOf(each.withdrawal_id)}
                    </PageLink>
                  )}
                  {each.refund_id !== null && (
                    <RefundLink refundId={each.refund_id} of={each.balance_refund_id} />
                  )}
                  {each.receipt_id !== null && t.receipt(each.receipt_id)}
                </Group>
              </Table.Td>
              <Table.Td ta="right">
                <Money amount={each.amount} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
