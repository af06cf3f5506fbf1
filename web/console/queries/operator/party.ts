import type { Answer, Ask } from '../../../client/client.ts';
import { read, write } from '../../api.ts';

/** The accounts of both sides. */
type Query = NonNullable<Ask<'GET /api/admin/advertisers'>['query']>;

export type Advertiser = Answer<'GET /api/admin/advertisers/{id}'>;
export type Publisher = Answer<'GET /api/admin/publishers/{id}'>;

export const advertisers = (query: Query) =>
  read('GET /api/admin/advertisers', { query: { page_size: 20, ...query } });
export const publishers = (query: Query) =>
  read('GET /api/admin/publishers', { query: { page_size: 20, ...query } });
export const advertiser = (id: number) => read('GET /api/admin/advertisers/{id}', { path: { id } });
export const publisher = (id: number) => read('GET /api/admin/publishers/{id}', { path: { id } });

const ADVERTISERS = [
  'GET /api/admin/advertisers',
  'GET /api/admin/advertisers/{id}',
  'GET /api/admin/advertisers/{id}/history',
] as const;
const PUBLISHERS = [
  'GET /api/admin/publishers',
  'GET /api/admin/publishers/{id}',
  'GET /api/admin/publishers/{id}/history',
] as const;

export const endAdvertiserSessions = write(
  'POST /api/admin/advertisers/{id}/end-sessions',
  ADVERTISERS,
);
export const endPublisherSessions = write(
  'POST /api/admin/publishers/{id}/end-sessions',
  PUBLISHERS,
);
export const suspendAdvertiser = write('POST /api/admin/advertisers/{id}/suspend', ADVERTISERS);
export const restoreAdvertiser = write('POST /api/admin/advertisers/{id}/restore', ADVERTISERS);
export const suspendPublisher = write('POST /api/admin/publishers/{id}/suspend', PUBLISHERS);
export const restorePublisher = write('POST /api/admin/publishers/{id}/restore', PUBLISHERS);

export const holdAdvertiserPapers = write(
  'POST /api/admin/advertisers/{id}/hold-papers',
  ADVERTISERS,
);
export const releaseAdvertiserPapers = write(
  'POST /api/admin/advertisers/{id}/release-papers',
  ADVERTISERS,
);
export const holdPublisherPapers = write('POST /api/admin/publishers/{id}/hold-papers', PUBLISHERS);
export const releasePublisherPapers = write(
  'POST /api/admin/publishers/{id}/release-papers',
  PUBLISHERS,
);

export const advertiserHistory = (id: number) => (page: number) =>
  read('GET /api/admin/advertisers/{id}/history', { path: { id }, query: { page, page_size: 20 } });
export const publisherHistory = (id: number) => (page: number) =>
  read('GET /api/admin/publishers/{id}/history', { path: { id }, query: { page, page_size: 20 } });
export type MembersPage = Answer<'GET /api/admin/advertisers/{id}/members'>;
export const advertiserMembers = (id: number) =>
  read('GET /api/admin/advertisers/{id}/members', { path: { id }, query: { page_size: 100 } });
export const publisherMembers = (id: number) =>
  read('GET /api/admin/publishers/{id}/members', { path: { id }, query: { page_size: 100 } });
export const advertiserDocuments = (id: number) => (page: number) =>
  read('GET /api/admin/advertisers/{id}/documents', {
    path: { id },
    query: { page, page_size: 10 },
  });
export const publisherDocuments = (id: number) => (page: number) =>
  read('GET /api/admin/publishers/{id}/documents', {
    path: { id },
    query: { page, page_size: 10 },
  });
export const advertiserRelated = (id: number) =>
  read('GET /api/admin/advertisers/{id}/related', { path: { id } });
export const publisherRelated = (id: number) =>
  read('GET /api/admin/publishers/{id}/related', { path: { id } });
