import { Anchor, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../../client/client.ts';
import { common } from '../texts/common.ts';
import { Failed } from './failed.tsx';
import { isOffline, isStale } from './stale.tsx';
import { useTexts } from './texts.ts';

/** Instead of a page whose record could not be read: it has a name, and a way on. */
export function FailedPage({ error, again }: { error: Error; again?: (() => void) | undefined }) {
  const t = useTexts(common);
  const wasOffline = isOffline(error);
  const isOld = isStale(error) && !wasOffline;
  const isNone = error instanceof ApiError && error.status === 404;
  // What was read comes by itself when the browser is online again; so does the page's own code.
  useEffect(() => {
    if (!wasOffline || again === undefined) return undefined;
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [wasOffline, again]);
  return (
    <Stack gap="md">
      <Title order={1}>{isNone ? t.noRecord : t.notShown}</Title>
      <Failed error={error} again={isNone ? undefined : isOld ? () => location.reload() : again} />
      <WayOn />
    </Stack>
  );
}

/** Instead of a page that there is not. */
export function NotFoundPage() {
  const t = useTexts(common);
  return (
    <Stack gap="md" p="md">
      <Title order={1}>{t.notFound}</Title>
      <WayOn />
    </Stack>
  );
}

/** To the start of the console whose address this is. */
function WayOn() {
  const t = useTexts(common);
  const [, folder = ''] =
    /^\/console\/(advertiser|publisher|operator)\b/.exec(location.pathname) ?? [];
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to={`/${folder}`} {...props} />}>
      {t.toStart}
    </Anchor>
  );
}
