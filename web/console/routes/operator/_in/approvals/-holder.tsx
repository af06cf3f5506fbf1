import { Fragment } from 'react';
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Facts } from '../../../../parts/facts.tsx';
import { Money } from '../../../../parts/money.tsx';
import { State } from '../../../../parts/state.tsx';
import { useMarks, useTexts, wordOf } from '../../../../parts/texts.ts';
import type { ApprovalPage } from '../../../../queries/operator/approval.ts';
import { ApprovedThing } from '../-shown/approval-subject.tsx';
import { PageLink } from '../-shown/page-link.tsx';
import { approval } from '../../../../texts/approval.ts';
import { party } from '../../../../texts/party.ts';

/** Whose money it is, what has come and gone so far, and what was approved of it before. */
export function Holder({
  page,
  holder,
}: {
  page: ApprovalPage;
  holder: NonNullable<ApprovalPage['holder']>;
}) {
  const t = useTexts(approval);
  const { by: relations, numbered } = useTexts(party);
  const { comma, open, close } = useMarks();
  const side = holder.kind === 'PUBLISHER' ? 'publishers' : 'advertisers';
  const { payouts, deposits } = holder;
  return (
    <Stack gap="xs">
      <Title order={2}>{t.holder}</Title>
      <Facts
        rows={[
          [
            t.name,
            <Anchor key="account" component={Link} to={`/operator/${side}/${holder.account_id}`}>
              {holder.company_name ?? holder.username}
            </Anchor>,
          ],
          [t.legalName, holder.legal_name],
          [t.kyc, <State key="kyc" state={holder.kyc_status} />],
          holder.kind === 'PUBLISHER'
            ? [
                t.payouts,
                <span key="payouts">
                  <Money amount={payouts.amount} />
                  {`${open}${t.times(payouts.count, payouts.returned)}${close}`}
                </span>,
              ]
            : [
                t.deposits,
                <span key="deposits">
                  <Money amount={deposits.amount} />
                  {`${open}${t.times(deposits.count, 0)}${close}`}
                </span>,
              ],
          [
            t.related,
            page.related.length === 0
              ? t.none
              : page.related.map(({ account_id: account, kind, by, ...called }, at) => (
                  <Fragment key={`${account} ${by}`}>
                    {at > 0 && comma}
                    <PageLink
                      to={`/operator/${kind === 'PUBLISHER' ? 'publishers' : 'advertisers'}/${account}`}
                    >
                      {numbered(called.company_name ?? called.username, account)}
                    </PageLink>
                    {open}
                    {wordOf(relations, by)}
                    {close}
                  </Fragment>
                )),
          ],
        ]}
      />
      <Title order={2}>{t.history}</Title>
      {page.history.length === 0 && <Text size="sm">{t.none}</Text>}
      {page.history.map((each) => (
        <Anchor key={each.id} component={Link} to={`/operator/approvals/${each.id}`} size="sm">
          <ApprovedThing of={each} /> · {each.amount > 0 && <Money amount={each.amount} />}
          {each.amount > 0 && ' · '}
          {t.states[each.state]}
        </Anchor>
      ))}
    </Stack>
  );
}
