import { Button, CopyButton, Stack, Text } from '@mantine/core';
import { common } from '../texts/common.ts';
import { useTexts } from './texts.ts';
import classes from './copy-code.module.css';

/** Code to paste elsewhere: scrolls by itself, can be reached by keyboard, copied by one click. */
export function CopyCode({ label, code }: { label: string; code: string }) {
  const t = useTexts(common);
  return (
    <Stack gap={4}>
      <div className={classes['head']}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <CopyButton value={code}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant={copied ? 'filled' : 'default'} onClick={copy}>
              <span aria-live="polite">{copied ? t.copied : t.copy}</span>
            </Button>
          )}
        </CopyButton>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls sideways */}
      <pre className={classes['code']} tabIndex={0} aria-label={label}>
        {code}
      </pre>
    </Stack>
  );
}
