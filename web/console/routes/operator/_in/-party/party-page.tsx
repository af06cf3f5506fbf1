import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { mayOpenAt } from '../../../../may/operator.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { EmailState } from '../../../../parts/email-state.tsx';
import { Facts } from '../../../../parts/facts.tsx';
import { linkTo } from '../../../../parts/link-to.ts';
import { Page } from '../../../../parts/page.tsx';
import { State } from '../../../../parts/state.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { profile } from '../../../../queries/operator/account.ts';
import type { Advertiser, Publisher } from '../../../../queries/operator/party.ts';
import { party } from '../../../../texts/party.ts';
import { WhySuspended } from './party-history.tsx';
import { PapersHeld, type PapersMoves, usePapersAction } from './papers-action.tsx';
import { type Moves, useEndSessions, usePartyAction } from './party-actions.tsx';

interface Props {
  account: Advertiser | Publisher;
  crumb: { text: string; to: string };
  moves: Moves & PapersMoves;
  history: (page: number) => unknown;
  /** What only this side has. */
  facts: readonly (readonly [string, ReactNode])[];
  /** Lists of what is this account's: its words by their addresses. */
  lists: Readonly<Record<string, string>>;
  children: ReactNode;
}

/** An account of either side of the market, as support and finance read it. */
export function PartyPage({ account, crumb, moves, history, facts, lists, children }: Props) {
  const t = useTexts(party);
  const { data: me } = useQuery(profile);
  const { id, status } = account;
  const name = account.company_name ?? account.nickname;
  const action = usePartyAction({ id, name, status }, me?.role, moves);
  const endSessions = useEndSessions({ id, name }, me?.role, moves.endSessions);
  const papers = usePapersAction({ ...account, name }, me?.role, moves);
  return (
    <Page
      title={name}
      beside={<State state={status} />}
      crumbs={[crumb]}
      actions={[action, endSessions, papers]}
    >
      {status === 'SUSPENDED' && <WhySuspended query={history} />}
      <Facts
        rows={[
          [t.contact, account.contact_name],
          [
            t.email,
            <span key="e">
              {account.email} <EmailState since={account.email_confirmed_at} />
            </span>,
          ],
          [t.username, account.username],
          [t.mobile, account.mobile],
          [t.industry, account.industry],
          [t.billingAddress, account.billing_address],
          [t.taxId, account.tax_id],
          [t.identity, <State key="k" state={account.kyc_status} />],
          [
            t.papersHeld,
            <PapersHeld
              key="p"
              at={account.legal_hold_at}
              by={account.legal_hold_by}
              reason={account.legal_hold_reason}
            />,
          ],
          [t.openTasks, account.open.tasks],
          ...facts,
          [t.registered, <When key="w" at={account.created_at} />],
        ]}
      />
      <Group gap="xs" component="nav" aria-label={t.seeAlso}>
        {Object.entries(lists)
          .filter(([to]) => me !== undefined && mayOpenAt(me.role, to))
          .map(([to, text]) => (
            <ButtonLink key={to} {...linkTo(to)} variant="default" size="sm">
              {text}
            </ButtonLink>
          ))}
      </Group>
      {children}
    </Page>
  );
}
