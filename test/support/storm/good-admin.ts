import type { Objects } from './catalogue.ts';
import type { Good } from './good.ts';

export const adminRequests = (own: Objects): Readonly<Record<string, Good>> => ({
  ['POST /api/admin/tasks/:id/assign']: { body: { assignee_id: null } },
  ['POST /api/admin/tasks/:id/decision']: {
    body: {
      decision: 'approve',
      reasons: [{ code: 'other' }],
      note: 'note',
      evidence_media_id: own.media,
    },
  },
  ['PUT /api/admin/settings/:key']: {
    body: { value: 10 },
    // One number for the setting that the storm sets; null is no value.
    rules: { value: { kind: 'amount' } },
  },
});
