import { Stack, Text, Textarea } from '@mantine/core';
import { useTexts } from '../../../../parts/texts.ts';
import { party } from '../../../../texts/party.ts';

/** What a dialog about an account asks before it does something: what will be, and why it is done. */
export function ReasonBody(props: {
  help: string;
  reason: string;
  required?: boolean;
  onChange: (reason: string) => void;
}) {
  const { help, reason, required = false, onChange } = props;
  const t = useTexts(party);
  return (
    <Stack gap="xs">
      <Text size="sm">{help}</Text>
      <Textarea
        label={t.reason}
        required={required}
        value={reason}
        autosize
        minRows={2}
        maxLength={500}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Stack>
  );
}
