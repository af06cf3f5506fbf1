import { Anchor, Card, Container, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { createFileRoute, Link, redirect } from '@tanstack/react-router';
import { useTexts } from '../parts/texts.ts';
import { auth } from '../texts/auth.ts';

/** What letters link to: `#reset-password=<realm>.<token>`, `#invitation=…`, `#not-me=…` and their like. */
const LETTER =
  /^#?(reset-password|invitation|not-me|confirm-email|change-email)=(advertiser|publisher|admin)\.([\w-]{1,200})$/;
const PAGES: Readonly<Record<string, string>> = {
  'reset-password': 'reset?',
  invitation: 'accept?',
  'not-me': 'not-me?',
  'confirm-email': 'confirm-email?',
  'change-email': 'confirm-email?change=true&',
};

export const Route = createFileRoute('/')({
  beforeLoad: ({ location }) => {
    const [, what = '', realm, token] = LETTER.exec(location.hash) ?? [];
    if (token === undefined) return;
    const folder = realm === 'admin' ? 'operator' : realm;
    // oxlint-disable-next-line typescript/only-throw-error -- the router's way to lead elsewhere
    throw redirect({ href: `/${folder}/${PAGES[what]}token=${token}`, replace: true });
  },
  component: Welcome,
});

function Welcome() {
  const t = useTexts(auth);
  const doors = [
    { to: '/advertiser', name: t.advertiser, lead: t.advertiserLead },
    { to: '/publisher', name: t.publisher, lead: t.publisherLead },
    { to: '/operator', name: t.operator, lead: t.operatorLead },
  ];
  return (
    <Container size="md" py="xl" component="main">
      <Stack gap="lg">
        <div>
          <Title order={1}>{t.welcome}</Title>
          <Text c="dimmed">{t.welcomeLead}</Text>
        </div>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {doors.map(({ to, name, lead }) => (
            <Card key={to} withBorder component={Link} to={to} padding="lg">
              <Title order={2}>{name}</Title>
              <Text size="sm" c="dimmed">
                {lead}
              </Text>
            </Card>
          ))}
        </SimpleGrid>
        <Anchor href="/docs/" size="sm">
          {t.docs}
        </Anchor>
      </Stack>
    </Container>
  );
}
