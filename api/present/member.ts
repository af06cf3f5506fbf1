import type * as yup from 'yup';
import type { ShownMember, ShownOwner } from '../../db/queries/members.ts';
import { MEMBER_STATUSES } from '../../domain/lifecycle/member.ts';
import { MEMBER_ROLES } from '../../domain/member.ts';
import {
  idOf,
  oneOf,
  pageOfItems,
  record,
  time,
  timeOrNull,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

export const memberShape = record(
  {
    id: idOf(),
    email: words(),
    name: wordsOrNull(),
    role: oneOf(MEMBER_ROLES),
    status: oneOf(MEMBER_STATUSES),
    invited_at: time(),
    /** Null once it was accepted. */
    invitation_expires_at: timeOrNull(),
    joined_at: timeOrNull(),
    removed_at: timeOrNull(),
    /** At most two hours before their last request. */
    last_login_at: timeOrNull(),
    version: whole().min(1),
    created_at: time(),
    updated_at: time(),
  },
  'Member',
);

/** The owner is no row of the list: nobody changes or removes them. */
export const membersShape = pageOfItems(memberShape).shape({
  owner: record({
    name: words(),
    email: words(),
    role: oneOf(['ADMIN']),
    last_login_at: timeOrNull(),
  }),
});

export const removedShape = record({ id: idOf(), status: oneOf(['REMOVED']) });

export const presentOwner = ({ name, email, lastLoginAt }: ShownOwner) => ({
  name,
  email,
  role: 'ADMIN' as const,
  last_login_at: lastLoginAt?.toISOString() ?? null,
});

export const presentMember = (row: ShownMember): yup.InferType<typeof memberShape> => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  status: row.status,
  invited_at: row.invitedAt.toISOString(),
  invitation_expires_at: row.status === 'INVITED' ? row.invitationExpiresAt.toISOString() : null,
  joined_at: row.joinedAt?.toISOString() ?? null,
  removed_at: row.removedAt?.toISOString() ?? null,
  last_login_at: row.lastLoginAt?.toISOString() ?? null,
  version: row.version,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});
