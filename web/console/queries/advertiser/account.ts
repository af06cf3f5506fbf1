import { read, write } from '../../api.ts';

/** Who is logged in, and their money. */
export const profile = read('GET /api/advertiser/auth/profile');
export const balance = read('GET /api/advertiser/deposits/balance');

export const logOut = write('POST /api/advertiser/auth/logout', []);
export const saveProfile = write('PUT /api/advertiser/auth/profile', [
  'GET /api/advertiser/auth/profile',
]);
