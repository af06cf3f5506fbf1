import type { Site } from '../../../../../client/routes.ts';
import { SelectField, TextAreaField, TextField } from '../../../../parts/fields.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { site } from '../../../../texts/site.ts';
import { domainOf } from './-domain.ts';

export const KINDS = ['WEB', 'APP', 'MINI_PROGRAM'] as const;

export interface SiteValues {
  name: string;
  media_type: Site['media_type'];
  domain: string | null;
  app_package: string | null;
  url: string | null;
  description: string | null;
  icp: string | null;
}

export const EMPTY: SiteValues = {
  name: '',
  media_type: 'WEB',
  domain: null,
  app_package: null,
  url: null,
  description: null,
  icp: null,
};

export const valuesOf = (row: Site): SiteValues => ({
  name: row.name,
  media_type: row.media_type,
  domain: row.domain,
  app_package: row.app_package,
  url: row.url,
  description: row.description,
  icp: row.icp,
});

/** Empty is none; a kind may have the name of the other, and need not. */
export const askOf = (values: SiteValues): SiteValues => ({
  ...values,
  domain: domainOf(values.domain),
  app_package: orNull(values.app_package),
  url: orNull(values.url),
});

const orNull = (text: string | null): string | null => (text === '' ? null : text);

/** A new site is asked for what it needs; the rest can be said later. */
export function SiteFields({ kind, isNew = false }: { kind: Site['media_type']; isNew?: boolean }) {
  const t = useTexts(site);
  return (
    <>
      <TextField name="name" label={t.name} required maxLength={120} />
      <SelectField
        name="media_type"
        label={t.kind}
        options={KINDS.map((value) => ({ value, label: t[value] }))}
        required
      />
      {kind === 'WEB' ? (
        <TextField name="domain" label={t.domain} help={t.domainHelp} required />
      ) : (
        <>
          <TextField name="app_package" label={t.package} help={t.packageHelp} required />
          <TextField name="url" label={t.developerUrl} help={t.developerUrlHelp} type="url" />
        </>
      )}
      {!isNew && kind === 'WEB' && (
        <TextField name="url" label={t.url} help={t.urlHelp} type="url" />
      )}
      {!isNew && (
        <>
          {kind === 'WEB' ? (
            <TextField name="app_package" label={t.package} help={t.packageHelp} />
          ) : (
            <TextField name="domain" label={t.domain} help={t.domainHelp} />
          )}
          <TextAreaField name="description" label={t.description} help={t.descriptionHelp} />
          <TextField name="icp" label={t.icp} />
        </>
      )}
    </>
  );
}
