import { Button, Stack, Text } from '@mantine/core';
import { asksAgain, type Ending, FOLDERS, type Realm } from '../session.ts';
import { sessionEnded } from '../texts/session-ended.ts';
import { LoginForm } from './auth.tsx';
import { Dialog } from './dialog.tsx';
import { useTexts } from './texts.ts';

/** What is written behind it stays, and what was pressed goes on when the same person is back. */
export function LogInAgainDialog({ realm, why }: { realm: Realm; why: Ending | 'others' }) {
  const t = useTexts(sessionEnded);
  const isOthers = why === 'others';
  return (
    <Dialog
      title={isOthers ? t.others : t.again}
      onClose={asksAgain.leave}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      zIndex={400}
      centered
    >
      <Stack>
        <Text size="sm">{isOthers ? t.othersLead : t.againLead}</Text>
        <LoginForm
          realm={realm}
          ended={isOthers ? undefined : why}
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
              {isOthers ? t.leaveToThem : t.leave}
            </Button>
          }
        />
      </Stack>
    </Dialog>
  );
}
