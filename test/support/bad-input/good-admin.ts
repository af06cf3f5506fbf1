import type { Objects } from './catalogue.ts';
import type { Good } from './good.ts';

export const adminRequests = (own: Objects): Readonly<Record<string, Good>> => ({
  ['POST /api/admin/tasks/:id/assign']: { body: { assignee_id: null } },
  ['POST /api/admin/tasks/claim-next']: { body: { kinds: ['site_review'], except: [1] } },
  ['POST /api/admin/tasks/:id/notes']: { body: { text: 'Looks like the one of last week' } },
  ['POST /api/admin/inventory/recall']: {
    body: { subject_type: 'creative', subject_id: own.creative, note: 'It leads elsewhere now' },
  },
  ['POST /api/admin/inventory/sites/:id/suspend']: { body: { note: 'Its pages hide our ads' } },
  ['POST /api/admin/inventory/sites/:id/restore']: { body: { note: 'Its pages were mended' } },
  ['POST /api/admin/tasks/:id/decision']: {
    body: {
      decision: 'approve',
      reasons: [{ code: 'OTHER', note: 'Not as agreed' }],
      note: 'note',
      evidence_media_id: own.media,
      evidence_id: own.receiptEvidence,
    },
  },
  ['POST /api/admin/deposits/:id/receipts']: {
    body: {
      amount: 50,
      reference: 'BANK-1',
      received_at: '2026-01-01T00:00:00Z',
      evidence_media_id: own.receiptEvidence,
      evidence_id: own.receiptEvidence,
      reason: 'Paid at the desk',
    },
  },
  ['POST /api/admin/receipts/:id/take-back']: { body: { reason: 'Of another order' } },
  ['POST /api/admin/bank-statements/:id/explain']: { body: { line_id: 1, note: 'A fee' } },
  ['POST /api/admin/bank-statements/:id/record']: { body: { lines: [{ id: 1 }], dry_run: true } },
  ['POST /api/admin/reversals']: {
    body: {
      source: 'TRAFFIC',
      reason: 'BILLING_ERROR',
      note: 'Billed while the floor was wrong',
      from: '2026-01-01T00:00:00Z',
      to: '2026-01-02T00:00:00Z',
      publisher_id: own.publisher,
      site_id: own.site,
      zone_id: own.zone,
    },
  },
  ['POST /api/admin/balance-refunds']: {
    body: { advertiser_id: own.advertiser, amount: 1, reason: 'They stop advertising' },
  },
  ['POST /api/admin/money-terms']: {
    body: {
      kind: 'SHARE',
      publisher_id: own.publisher,
      country: null,
      entity_type: null,
      percent: 75,
      from: new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10),
      basis: null,
      note: 'Agreed for a year',
    },
  },
  ['POST /api/admin/withdrawals/payout-files']: {
    body: { payouts: [{ id: own.withdrawal, version: 1 }] },
  },
  ['POST /api/admin/withdrawals/:id/payout-file/take-back']: {
    body: { reason: 'The portal refused it', evidence_id: own.receiptEvidence },
  },
  ['POST /api/admin/withdrawals/:id/return']: {
    body: { reference: 'BACK-1', evidence_id: own.receiptEvidence },
  },
  ['POST /api/admin/approvals/:id/refuse']: { body: { note: 'Not of our bank' } },
  ['POST /api/admin/factor-recoveries/:id/vouch']: {
    body: { proof: 'DOCUMENT', note: 'The passport of the file' },
  },
  ['POST /api/admin/factor-recoveries/:id/refuse']: { body: { note: 'Not shown' } },
  ['POST /api/admin/auth/invitation']: { body: { token: 'no-such-token' } },
  ['POST /api/admin/auth/accept-invitation']: {
    body: { token: 'no-such-token', name: 'Anna Storm', password: 'long enough words 7' },
  },
  ['POST /api/admin/operator-invitations']: {
    body: {
      username: 'second_clerk',
      email: 'second@example.com',
      role: 'FINANCE',
      language: 'en',
    },
  },
  ['POST /api/admin/operators/:id/suspend']: { body: { reason: 'Left the company' } },
  ['POST /api/admin/operators/:id/restore']: { body: { reason: 'Came back' } },
  ['POST /api/admin/operators/:id/role']: { body: { role: 'REVIEWER', reason: 'Another desk' } },
  ['PUT /api/admin/settings/:key']: {
    body: { value: 10 },
    // One number for the setting that the storm sets; null is no value.
    rules: { value: { kind: 'amount' } },
  },
});
