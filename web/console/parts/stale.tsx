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

/** Outside of any part, so the page itself tells its language. */
function Note({ error }: { error: Error }) {
  const t = textsIn(common, document.documentElement.lang === 'zh' ? 'zh' : 'en');
  return (
    <Alert
      color="yellow"
      variant="light"
      role="alert"
      title={isStale(error) ? t.stale : t.failed}
      m="sm"
    >
      <Text size="sm">{isStale(error) ? t.staleHelp : error.message}</Text>
      <Group mt="xs">
        <Button size="xs" variant="default" onClick={() => location.reload()}>
          {t.reload}
        </Button>
      </Group>
    </Alert>
  );
}
