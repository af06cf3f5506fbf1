import { read, write } from '../../api.ts';

/** Who is logged in. */
export const profile = read('GET /api/publisher/auth/profile');

export const logOut = write('POST /api/publisher/auth/logout', []);
export const saveProfile = write('PUT /api/publisher/auth/profile', [
  'GET /api/publisher/auth/profile',
]);
export const changePassword = write('POST /api/publisher/auth/password', []);
