import { SelectField } from './fields.tsx';

/** In which language a letter is written to somebody who has said none yet; `label` says of what letter. */
export function LetterLanguage({ label }: { label: string }) {
  return (
    <SelectField
      name="language"
      label={label}
      options={[
        { value: 'en', label: 'English' },
        { value: 'zh', label: '中文' },
      ]}
      required
    />
  );
}
