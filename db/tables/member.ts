import { memberLifecycle } from '../../domain/lifecycle/member.ts';
import { MEMBER_ROLES } from '../../domain/member.ts';
import { LANGUAGES } from '../../domain/person.ts';
import { id, ref, state, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const members = table('members', {
  id: id(),
  accountId: ref(),
  kind: word(['ADVERTISER', 'PUBLISHER']),
  email: text(),
  emailConfirmedAt: time().orNull(),
  name: text().orNull(),
  /** Of letters, until they say one themselves. */
  language: word(LANGUAGES).orNull(),
  role: word(MEMBER_ROLES),
  status: state(memberLifecycle).byDefault(),
  passwordHash: text().orNull(),
  tokenVersion: whole().byDefault(),
  invitationHash: text().orNull(),
  invitedAt: time(),
  invitationExpiresAt: time(),
  joinedAt: time().orNull(),
  removedAt: time().orNull(),
  version: whole().byDefault(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
  lastLoginAt: time().orNull(),
});
export type MemberRow = Row<typeof members>;
