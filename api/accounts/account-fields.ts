import * as yup from 'yup';
import { passwordFault, USERNAME_PATTERN } from '../../domain/accounts.ts';
import { lines, name, text, webUrl } from '../http/fields.ts';
import { preferencesBody } from './preferences.ts';
import { NAMING_LINE_OR_NONE, ONE_LINE } from '../../domain/control-characters.ts';

/** What people type of themselves: bodies of /auth in the three realms (interface 4.1, 4.8). */

const EMAIL_MAX = 254;
/** Of what is typed at login; what a new password may be is passwordFault's question. */
const TYPED_MAX = 1_024;
const RESET_TOKEN_MAX = 200;

/** What a person is called: something that can be seen; empty or null clears it. */
const personText = () =>
  lines(255).nullable().matches(NAMING_LINE_OR_NONE, 'must be readable text');

export const email = () =>
  yup
    .string()
    .max(EMAIL_MAX)
    .email('must be an e-mail address')
    .matches(/^[^\s\p{Cc}]*$/u, 'must be an e-mail address')
    .meta({ kind: 'word' });

/** Text that is compared and never stored. */
const typedSecret = () => yup.string().required().max(TYPED_MAX).meta({ kind: 'secret' });

const newPassword = (ownerOf: (body: Record<string, unknown>) => unknown[]) =>
  yup
    .string()
    .required()
    .test('password', (value, context) => {
      const [address, username] = ownerOf(context.parent as Record<string, unknown>);
      const fault = passwordFault(value, {
        email: typeof address === 'string' ? address : '',
        username: typeof username === 'string' ? username : undefined,
      });
      return (
        fault === undefined || context.createError({ type: fault.code, message: fault.message })
      );
    })
    .meta({
      kind: 'secret',
      schema: { minLength: 8, maxLength: 128 },
      description:
        'Refused as too_common: well-known ones, repetitions, the e-mail address and the username.',
    });

const repeated = () =>
  yup
    .string()
    .required()
    .oneOf([yup.ref('new_password')], 'must be the same as the new password')
    .meta({ kind: 'secret' });

export const loginBody = yup.object({
  username: yup.string().required().max(EMAIL_MAX).matches(ONE_LINE, 'must be readable text'),
  password: typedSecret(),
});

const profileFields = {
  nickname: personText(),
  mobile: personText(),
  company_name: personText(),
  contact_name: personText(),
  industry: personText(),
};
/** Of the account as its documents name it (interface 5.22); nobody is asked for it at the door. */
const billingFields = {
  billing_address: lines(400).nullable().matches(NAMING_LINE_OR_NONE, 'must be readable text'),
  tax_id: lines(64).nullable().matches(NAMING_LINE_OR_NONE, 'must be readable text'),
};
const siteField = { site_url: webUrl().nullable() };

const registerFields = {
  email: email().required(),
  password: newPassword((body) => [body['email'], body['username']]),
  username: yup.string().matches(USERNAME_PATTERN, '3 to 30 letters, digits or underscores'),
  preferences: preferencesBody.default(undefined).noUnknown(true),
  ...profileFields,
};

export const registerBody = {
  advertiser: yup.object(registerFields),
  publisher: yup.object({ ...registerFields, ...siteField }),
};

export const profileBody = {
  advertiser: yup.object({ ...profileFields, ...billingFields }),
  publisher: yup.object({ ...profileFields, ...billingFields, ...siteField }),
  admin: yup.object({ nickname: profileFields.nickname, task_letters: yup.boolean() }),
};

export const passwordBody = yup.object({
  old_password: typedSecret(),
  new_password: newPassword(() => []),
  confirm_password: repeated(),
});

export const forgotBody = yup.object({ email: email().required() });

export const resetBody = yup.object({
  token: text(RESET_TOKEN_MAX).required().meta({ kind: 'secret' }),
  new_password: newPassword(() => []),
  confirm_password: repeated(),
});

export const invitationBody = yup.object({
  token: text(RESET_TOKEN_MAX).required().meta({ kind: 'secret' }),
});

export const acceptBody = yup.object({
  token: text(RESET_TOKEN_MAX).required().meta({ kind: 'secret' }),
  name: name().required(),
  password: newPassword(() => []),
});

export const changeEmailBody = yup.object({ email: email().required(), password: typedSecret() });

export const confirmEmailBody = yup.object({
  token: text(RESET_TOKEN_MAX).required().meta({ kind: 'secret' }),
  // Needed where the login's address changes.
  password: yup.string().max(TYPED_MAX).meta({ kind: 'secret' }),
});

export type ProfileBody = {
  [Field in keyof typeof profileFields | keyof typeof billingFields | 'site_url']?:
    | string
    | null
    | undefined;
} & { task_letters?: boolean | undefined };

/** A field that is not sent stays as it is; an empty one is cleared. */
export function profileFieldsOf(body: ProfileBody) {
  return {
    nickname: emptyToNull(body.nickname),
    mobile: emptyToNull(body.mobile),
    companyName: emptyToNull(body.company_name),
    contactName: emptyToNull(body.contact_name),
    industry: emptyToNull(body.industry),
    siteUrl: emptyToNull(body.site_url),
    billingAddress: emptyToNull(body.billing_address),
    taxId: emptyToNull(body.tax_id),
    taskLetters: body.task_letters,
  };
}

function emptyToNull(value: string | null | undefined): string | null | undefined {
  if (value === undefined || value === null) return value;
  const trimmed = value.trim();
  return trimmed === '' ? null : trimmed;
}
