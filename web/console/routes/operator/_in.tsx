import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useWrite } from '../../api.ts';
import { requireSession } from '../../parts/require-session.ts';
import { Shell } from '../../parts/shell.tsx';
import { useTexts } from '../../parts/texts.ts';
import { logOut, profile } from '../../queries/operator/account.ts';
import { session } from '../../session.ts';
import { auth } from '../../texts/auth.ts';
import { operator } from '../../texts/operator.ts';

export const Route = createFileRoute('/operator/_in')({
  beforeLoad: ({ location }) => requireSession('admin', location),
  component: In,
});

function In() {
  const t = useTexts(operator);
  const { data } = useQuery(profile);
  const leave = useWrite(logOut);
  return (
    <Shell
      realm="admin"
      name={useTexts(auth).operator}
      who={data?.username}
      menu={[{ to: '/operator', text: t.home, exact: true }]}
      logOut={async () => {
        await leave.mutateAsync({});
        session.end('admin');
      }}
    />
  );
}
