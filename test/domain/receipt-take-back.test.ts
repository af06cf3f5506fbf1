import {
  type NotTakenBack,
  reopensOrder,
  type TakeableReceipt,
  whyNotTakenBack,
} from '../../domain/receipt-take-back.ts';

const credited: TakeableReceipt = {
  provider: 'BANK',
  state: 'CREDITED',
  amountNanos: 50n,
  operatorId: 7,
  wayBack: null,
  isAsked: false,
  refundedNanos: 0n,
  availableNanos: 50n,
};

test.each<[string, Partial<TakeableReceipt>, NotTakenBack | null]>([
  ['credited, and all of it is there', {}, null],
  ['a nano less is there', { availableNanos: 49n }, 'SPENT'],
  ['it waits in suspense, whatever the balance', { state: 'SUSPENSE', availableNanos: 0n }, null],
  [
    'a part went back, though the balance would do',
    { refundedNanos: 1n, availableNanos: 99n },
    'REFUNDED',
  ],
  ['a person was to send it back', { state: 'REFUNDING', wayBack: 'BY_HAND' }, null],
  ['its provider may send it back', { state: 'REFUNDING', wayBack: 'SENDING' }, 'SENT_BACK'],
  ['nobody has looked at its way back', { state: 'REFUNDING', wayBack: 'TO_SEND' }, 'SENT_BACK'],
  ['it was sent back', { state: 'REFUNDED', wayBack: 'SENT' }, 'SENT_BACK'],
  ['a provider said it', { provider: 'ALIPAY', operatorId: null }, 'SAID_BY_PROVIDER'],
  ['a chain said it', { provider: 'USDT', operatorId: 7 }, 'SAID_BY_PROVIDER'],
  ['nobody wrote it', { operatorId: null }, 'SAID_BY_PROVIDER'],
  ['it is asked for', { state: 'TAKING_BACK', availableNanos: 0n }, 'ASKED'],
  ['it is asked for in suspense', { state: 'SUSPENSE', isAsked: true }, 'ASKED'],
  ['it was taken back', { state: 'TAKEN_BACK' }, 'TAKEN_BACK'],
])('a receipt · %s · %#', (_what, change, reason) => {
  expect(whyNotTakenBack({ ...credited, ...change })).toBe(reason);
});

test('its order · waits again where the receipt had moved it, unless another holds it', () => {
  expect(
    (
      [
        'PENDING',
        'CONFIRMING',
        'REVIEW',
        'PAID',
        'CANCELLED',
        'EXPIRED',
        'REFUNDED',
        'FAILED',
      ] as const
    ).filter((status) => reopensOrder(status, false)),
  ).toEqual(['CONFIRMING', 'REVIEW', 'PAID']);
  expect(reopensOrder('PAID', true)).toBe(false);
});
