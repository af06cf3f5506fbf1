import { Alert, Button, Group, Text } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { common } from '../texts/common.ts';
import { textsIn } from './texts.ts';

/**
 * Around what no page's own boundary holds. Mostly it is a part that cannot be loaded: of an older version, in a
 * page that was open while a newer one came. Without this, React would take the whole page away.
 */
export class Stale extends Component<{ children: ReactNode }, { failed: Error | null }> {
  override state: { failed: Error | null } = { failed: null };

  static getDerivedStateFromError(failed: Error): { failed: Error } {
    return { failed };
  }

  override render(): ReactNode {
    return this.state.failed === null ? this.props.children : <Note error={this.state.failed} />;
  }
}

/** What browsers say of a module that is not there. */
export const isStale = (error: Error): boolean =>
  /dynamically imported module|importing a module script|preload CSS/i.test(error.message);

/** A module that is not there for want of a network is of no older version. */
const OFFLINE = 'Offline: ';
export const isOffline = (error: Error): boolean => error.message.startsWith(OFFLINE);
export const markOffline = (error: Error): void => {
  error.message = OFFLINE + error.message;
};

/** Outside of any part, so the page itself tells its language. */
function Note({ error }: { error: Error }) {
  const t = textsIn(common, document.documentElement.lang === 'zh' ? 'zh' : 'en');
  const isOld = isStale(error) && !isOffline(error);
  return (
    <Alert color="yellow" variant="light" role="alert" title={isOld ? t.stale : t.failed} m="sm">
      <Text size="sm">{isOld ? t.staleHelp : isOffline(error) ? t.reached : error.message}</Text>
      <Group mt="xs">
        <Button size="xs" variant="default" onClick={() => location.reload()}>
          {t.reload}
        </Button>
      </Group>
    </Alert>
  );
}
