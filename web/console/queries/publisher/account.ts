import { read } from '../../api.ts';

/** Who is logged in. */
export const profile = read('GET /api/publisher/auth/profile');
