import { Loader, Stack, Text } from '@mantine/core';
import { type ReactNode, type Ref, useRef, useState } from 'react';
import { RefusableButton, useForbidden } from './permission.tsx';
import classes from './file-drop.module.css';

/** Files dropped or chosen; what becomes of them is the caller's. */
export function FileDrop(props: {
  label: string;
  /** Above the button: what may be dropped. */
  lead: string;
  button: string;
  hint?: ReactNode;
  accept: string;
  many?: boolean;
  required?: boolean;
  /** Words of what goes on; the button waits meanwhile. */
  busy?: string | null;
  error?: string | undefined;
  /** What takes them, where that is not what the page changes: roles are asked for it. */
  route?: string;
  onFiles: (files: readonly File[]) => void;
  /** Where a form leads to that misses a file. */
  ref?: Ref<HTMLDivElement>;
}) {
  const { label, lead, button, hint, accept, busy, error, onFiles, ref } = props;
  const { many = false, required = false } = props;
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const forbidden = useForbidden(props.route);
  const isBusy = busy !== undefined && busy !== null;
  const take = (list: FileList | null): void => {
    const files = [...(list ?? [])];
    if (files.length === 0 || isBusy || forbidden !== null) return;
    onFiles(many ? files : files.slice(0, 1));
  };
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {label}
        {required && (
          <Text span inherit c="var(--mantine-color-error)" aria-hidden>
            {' *'}
          </Text>
        )}
      </Text>
      <div
        ref={ref}
        tabIndex={-1}
        className={classes['drop']}
        data-over={isOver || undefined}
        data-error={error !== undefined || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer.files);
        }}
      >
        <Text size="sm">{lead}</Text>
        <RefusableButton
          variant="default"
          // Not "disabled": that would take the focus from who has pressed it.
          aria-busy={isBusy}
          refusal={forbidden}
          leftSection={isBusy ? <Loader size="xs" /> : undefined}
          onClick={() => {
            if (!isBusy) input.current?.click();
          }}
        >
          {busy ?? button}
        </RefusableButton>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={label}
          accept={accept}
          multiple={many}
          onChange={(event) => {
            take(event.currentTarget.files);
            // The same file may be chosen again after a refusal.
            event.currentTarget.value = '';
          }}
        />
        {hint !== undefined && (
          <Text size="xs" c="dimmed" component="div" ta="center">
            {hint}
          </Text>
        )}
      </div>
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
    </Stack>
  );
}
