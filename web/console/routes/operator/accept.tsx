import { createFileRoute } from '@tanstack/react-router';
import { AcceptForm } from '../../parts/accept-page.tsx';
import { tokenSearch } from '../../parts/letter-token.ts';
import { useTexts } from '../../parts/texts.ts';
import { operator } from '../../texts/operator.ts';
import { operators } from '../../texts/operators.ts';
import { team } from '../../texts/team.ts';
import { titles } from '../../texts/titles.ts';

export const Route = createFileRoute('/operator/accept')({
  validateSearch: tokenSearch,
  staticData: { title: (language) => titles[language].accept },
  component: Accept,
});

function Accept() {
  const t = useTexts(operators);
  const { acceptTitle } = useTexts(team);
  const { roles } = useTexts(operator);
  return (
    <AcceptForm
      realm="admin"
      said={(to) =>
        to === undefined
          ? { title: acceptTitle }
          : { title: t.joinTitle, lead: t.joinAs(to.invited_by, roles[to.role], to.username) }
      }
    />
  );
}
