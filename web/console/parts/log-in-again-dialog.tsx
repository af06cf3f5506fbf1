import { Button, Stack, Text } from '@mantine/core';
import { asksAgain, FOLDERS, type Realm } from '../session.ts';
import { auth } from '../texts/auth.ts';
import { LoginForm } from './auth.tsx';
import { Dialog } from './dialog.tsx';
import { useTexts } from './texts.ts';

/** What is written behind it stays, and what was pressed goes on when the same person is back. */
export function LogInAgainDialog({ realm }: { realm: Realm }) {
  const t = useTexts(auth);
  return (
    <Dialog
      title={t.again}
      onClose={asksAgain.leave}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      zIndex={400}
      centered
    >
      <Stack>
        <Text size="sm">{t.againLead}</Text>
        <LoginForm
          realm={realm}
          ended={asksAgain.why() ?? undefined}
          onDone={(isNew) => {
            // What stands here was another person's.
            if (isNew) location.assign(`/console/${FOLDERS[realm]}`);
          }}
          extra={
            <Button
              variant="subtle"
              size="compact-sm"
              h="auto"
              // On a phone it takes two lines.
              styles={{ label: { whiteSpace: 'normal', lineHeight: 1.4 } }}
              onClick={asksAgain.leave}
            >
              {t.leave}
            </Button>
          }
        />
      </Stack>
    </Dialog>
  );
}
