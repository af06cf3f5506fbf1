import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useLocation } from '@tanstack/react-router';
import { useWrite } from '../../api.ts';
import { mayOpen, type PageName, rolesOf } from '../../may/operator.ts';
import { beginFrame } from '../../parts/begin-frame.ts';
import { Bell } from '../../parts/bell.tsx';
import { requireSession } from '../../parts/require-session.ts';
import { Shell } from '../../parts/shell.tsx';
import { State } from '../../parts/state.tsx';
import { useMarks, useTexts } from '../../parts/texts.ts';
import { logOut, profile } from '../../queries/operator/account.ts';
import { useFound } from './_in/-shown/words-found.ts';
import { counts } from '../../queries/operator/task.ts';
import { session } from '../../session.ts';
import { common } from '../../texts/common.ts';
import { operator } from '../../texts/operator.ts';
import { useWaitingBeside } from './_in/-shown/use-waiting-beside.ts';
import { MyRole } from './_in/-shown/my-role.ts';
import { NotYours } from './_in/-shown/not-yours.tsx';

const REFRESH_MS = 30_000;

export const Route = createFileRoute('/operator/_in')({
  beforeLoad: ({ location }) => requireSession('admin', location),
  loader: ({ context: { queryClient } }) => beginFrame(queryClient, 'admin'),
  component: In,
});

function In() {
  const t = useTexts(operator);
  const { comma } = useMarks();
  const { data } = useQuery(profile);
  const leave = useWrite(logOut);
  const here = useLocation({ select: (at) => at.pathname });
  const page = (group: string, name: PageName, to: string, text: string) => {
    if (data !== undefined && mayOpen(data.role, name)) return { to, text, group, refusal: null };
    const roles = rolesOf(name).map((role) => t.roles[role]);
    const badge = <Text size="xs">{roles[1] ?? roles[0]}</Text>;
    const refusal = t.notYourPage(roles.join(comma));
    return { to, text, badge, group: t.groups.others, refusal };
  };
  const { groups: g } = t;
  const pages = [
    page(g.money, 'deposits', '/operator/deposits', t.deposits),
    page(g.money, 'statements', '/operator/statements', t.statements),
    page(g.money, 'withdrawals', '/operator/withdrawals', t.withdrawals),
    page(g.money, 'refunds', '/operator/refunds', t.refunds),
    page(g.money, 'reversals', '/operator/reversals', t.reversals),
    page(g.money, 'approvals', '/operator/approvals', t.approvals),
    page(g.money, 'terms', '/operator/terms', t.terms),
    page(g.money, 'ledger', '/operator/ledger', t.ledger),
    page(g.money, 'books', '/operator/books', t.books),
    page(g.accounts, 'accounts', '/operator/advertisers', t.advertisers),
    page(g.accounts, 'accounts', '/operator/publishers', t.publishers),
    page(g.accounts, 'recoveries', '/operator/recoveries', t.recoveries),
    page(g.traffic, 'reports', '/operator/reports', t.reports),
    page(g.traffic, 'events', '/operator/events', t.events),
    page(g.traffic, 'held', '/operator/held', t.heldConversions),
    page(g.traffic, 'unbilled', '/operator/unbilled', t.unbilled),
    page(g.platform, 'operations', '/operator/operations', t.operations),
    page(g.platform, 'health', '/operator/health', t.health),
    page(g.platform, 'operators', '/operator/operators', t.operators),
    page(g.platform, 'settings', '/operator/settings', t.settings),
    page(g.platform, 'audit', '/operator/audit', t.audit),
  ];
  // A colleague's link leads anywhere; before one's role is known, nothing is said of it.
  const refused =
    data && pages.find(({ to, refusal }) => refusal !== null && `${here}/`.startsWith(`${to}/`));
  return (
    <MyRole value={data?.role}>
      <Shell
        realm="admin"
        head={<Bell realm="admin" />}
        name={useTexts(common).realms.admin}
        who={data?.username}
        menu={[
          { to: '/operator', text: t.home, exact: true, badge: <Waiting /> },
          // What one may open stands before what one may not; before that is known, none is asked for.
          ...pages.filter(({ refusal }) => refusal === null),
          ...pages.filter(({ refusal }) => data !== undefined && refusal !== null),
        ]}
        search={useFound(data?.role)}
        instead={refused && <NotYours title={refused.text} why={refused.refusal} />}
        logOut={async () => {
          await leave.mutateAsync({});
          session.end('admin');
        }}
      />
    </MyRole>
  );
}

/** How many wait that this role decides: as many as the desk has rows. */
function Waiting() {
  const t = useTexts(operator);
  const { data } = useQuery({ ...counts, refetchInterval: REFRESH_MS });
  const { total } = useWaitingBeside();
  const open = (data?.kinds ?? [])
    .filter(({ decidable }) => decidable)
    .reduce((sum, each) => sum + each.open, total);
  if (open === 0) return null;
  return (
    <>
      <span aria-hidden>
        <State state="open" words={String(open)} />
      </span>
      <span className="visually-hidden">{t.waiting(open)}</span>
    </>
  );
}
