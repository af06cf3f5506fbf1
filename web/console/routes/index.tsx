import {
  Anchor,
  Button,
  Card,
  Container,
  Group,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { createFileRoute, Link, redirect } from '@tanstack/react-router';
import { DoorLink } from '../parts/door-link.tsx';
import { PreferencesMenu } from '../parts/preferences-menu.tsx';
import { useTexts } from '../parts/texts.ts';
import { session } from '../session.ts';
import { auth } from '../texts/auth.ts';
import { common } from '../texts/common.ts';

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

const OWNERS = ['advertiser', 'publisher'] as const;

/** Who has an account, and who comes to have one; operators find their door below. */
function Welcome() {
  const t = useTexts(auth);
  return (
    <Container size="md" py="xl" component="main">
      <Group justify="flex-end">
        <PreferencesMenu />
      </Group>
      <Stack gap="xl" mt="md">
        <div>
          <Title order={1}>{t.welcome}</Title>
          <Text c="dimmed">{t.welcomeLead}</Text>
        </div>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {OWNERS.map((realm) => (
            <OwnerCard key={realm} realm={realm} />
          ))}
        </SimpleGrid>
        <Group gap="lg">
          <DoorLink to="/operator">{t.operators}</DoorLink>
          <Anchor href="/docs/" size="sm">
            {t.docs}
          </Anchor>
        </Group>
      </Stack>
    </Container>
  );
}

function OwnerCard({ realm }: { realm: (typeof OWNERS)[number] }) {
  const t = useTexts(auth);
  const name = useTexts(common).realms[realm];
  const isKnown = session.token(realm) !== null;
  return (
    <Card withBorder padding="lg">
      <Stack gap="md" justify="space-between" h="100%">
        <div>
          <Title order={2}>{name}</Title>
          <Text size="sm" c="dimmed">
            {t.leads[realm]}
          </Text>
        </div>
        <Group gap="sm">
          {isKnown ? (
            <DoorButton to={`/${realm}`} label={t.openAs(name)} text={t.open} />
          ) : (
            <>
              <DoorButton to={`/${realm}/register`} label={t.signUpAs(name)} text={t.signUp} />
              <DoorButton to={`/${realm}`} label={t.logInAs(name)} text={t.logIn} isSecond />
            </>
          )}
        </Group>
      </Stack>
    </Card>
  );
}

/** Two cards have buttons of the same words: `label` says whose. */
const DoorButton = (props: { to: string; label: string; text: string; isSecond?: boolean }) => {
  const { to, label, text, isSecond = false } = props;
  return (
    <Button
      aria-label={label}
      variant={isSecond ? 'default' : 'filled'}
      renderRoot={(given) => <Link to={to} {...given} />}
    >
      {text}
    </Button>
  );
};
