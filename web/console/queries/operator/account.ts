import { read, write } from '../../api.ts';

/** Who is logged in. */
export const profile = read('GET /api/admin/auth/profile');

export const logOut = write('POST /api/admin/auth/logout', []);
export const saveProfile = write('PUT /api/admin/auth/profile', ['GET /api/admin/auth/profile']);
export const changePassword = write('POST /api/admin/auth/password', []);
