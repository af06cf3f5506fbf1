import { createFileRoute } from '@tanstack/react-router';
import { LoginPage } from '../../parts/login-page.tsx';
import { loginSearch } from '../../parts/login-search.ts';
import { titles } from '../../texts/titles.ts';

export const Route = createFileRoute('/publisher/login')({
  validateSearch: loginSearch,
  staticData: { title: (language) => titles[language].logIn },
  component: Login,
});

function Login() {
  const { next, ended } = Route.useSearch();
  return <LoginPage realm="publisher" next={next} ended={ended} />;
}
