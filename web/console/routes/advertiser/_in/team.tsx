import { createFileRoute } from '@tanstack/react-router';
import { numberOf, stated } from '../../../parts/search.ts';
import { TeamPage } from '../../../parts/team-page.tsx';
import { titles } from '../../../texts/titles.ts';

export const Route = createFileRoute('/advertiser/_in/team')({
  validateSearch: (raw: Record<string, unknown>) => stated({ page: numberOf(raw['page']) }),
  staticData: { title: (language) => titles[language].team },
  component: Team,
});

function Team() {
  const { page } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <TeamPage
      realm="advertiser"
      page={page}
      onPage={(next) => void navigate({ search: { page: next } })}
    />
  );
}
