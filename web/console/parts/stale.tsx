import { Alert, Button, Group, Text } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { common } from '../texts/common.ts';
import { textsIn } from './texts.ts';

/**
 * A part of the console that cannot be loaded: mostly of an older version, in a page that was open while a
 * newer one came. Without this, React would take the whole page away.
 */
export class Stale extends Component<{ children: ReactNode }, { failed: Error | null }> {
  override state = { failed: null };

  static getDerivedStateFromError(failed: Error): { failed: Error } {
    return { failed };
  }

  override render(): ReactNode {
    return this.state.failed === null ? this.props.children : <StaleNote />;
  }
}

/** What browsers say of a module that is not there. */
export const isStale = (error: Error): boolean =>
  /dynamically imported module|importing a module script|preload CSS/i.test(error.message);

/** Outside of any part, so the page itself tells its language. */
function StaleNote() {
  const t = textsIn(common, document.documentElement.lang === 'zh' ? 'zh' : 'en');
  return (
    <Alert color="yellow" variant="light" role="alert" title={t.stale} m="sm">
      <Text size="sm">{t.staleHelp}</Text>
      <Group mt="xs">
        <Button size="xs" variant="default" onClick={() => location.reload()}>
          {t.reload}
        </Button>
      </Group>
    </Alert>
  );
}
