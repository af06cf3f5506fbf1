import { read, write } from '../../api.ts';

/** Who is logged in. */
export const profile = read('GET /api/publisher/auth/profile');

export const logOut = write('POST /api/publisher/auth/logout', []);
