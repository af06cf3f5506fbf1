import { kindsOf, type NotificationKind } from '../../../domain/notifications.ts';
import type { Owner } from './identity.ts';

/** What an account of this realm can be told of. */
export const kindsOfRealm = (realm: Owner): NotificationKind[] =>
  kindsOf(realm === 'advertiser' ? 'ADVERTISER' : 'PUBLISHER');
