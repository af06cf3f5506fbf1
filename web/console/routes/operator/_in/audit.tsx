import { createFileRoute } from '@tanstack/react-router';

export const Route = createFileRoute('/operator/_in/audit')({
  component: RouteComponent,
});

function RouteComponent() {
  return <div>Hello "/operator/_in/audit"!</div>;
}
