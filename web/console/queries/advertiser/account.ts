import { read, write } from '../../api.ts';

/** Who is logged in, and their money. */
export const profile = read('GET /api/advertiser/auth/profile');
/** Always as it is now: somebody is about to decide by it. */
export const balance = { ...read('GET /api/advertiser/deposits/balance'), staleTime: 0 };

export const saveProfile = write('PUT /api/advertiser/auth/profile', [
  'GET /api/advertiser/auth/profile',
]);
