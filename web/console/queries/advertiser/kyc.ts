import { api, read, write } from '../../api.ts';
import type { Answer } from '../../../client/client.ts';

export const state = read('GET /api/advertiser/kyc');
export const submit = write('POST /api/advertiser/kyc', [
  'GET /api/advertiser/kyc',
  'GET /api/advertiser/auth/profile',
]);

export async function upload(file: File): Promise<Answer<'POST /api/advertiser/kyc/documents'>> {
  const route = 'POST /api/advertiser/kyc/documents';
  const body = new FormData();
  body.append('file', file);
  return await api(route).call(route, { body });
}
