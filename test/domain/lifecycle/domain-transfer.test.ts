import {
  domainTransferLifecycle,
  transferAnswer,
  type TransferStatus,
} from '../../../domain/lifecycle/domain-transfer.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('domain_transfers.status', () => {
  it.each([
    ['NOTICE', 'dispute', 'DISPUTED'],
    ['NOTICE', 'move', 'MOVED'],
    ['NOTICE', 'refuse', 'REFUSED'],
    ['NOTICE', 'withdraw', 'WITHDRAWN'],
    ['DISPUTED', 'move', 'MOVED'],
    ['DISPUTED', 'refuse', 'REFUSED'],
    ['DISPUTED', 'withdraw', 'WITHDRAWN'],
  ] as const)('%s · %s · %s', (from, action, to) => {
    expect(transition(domainTransferLifecycle, from, action)).toBe<TransferStatus>(to);
  });

  it.each(illegalMoves(domainTransferLifecycle))('%s · %s · refused', (from, action) => {
    expect(() => transition(domainTransferLifecycle, from, action)).toThrow(
      `Cannot ${action} while ${from}.`,
    );
  });
});

describe('what two looks say', () => {
  it.each([
    [false, 'TOKEN_NOT_FOUND', false, 'refuse'],
    [false, 'PROOF_FOUND', true, 'refuse'],
    [true, 'TOKEN_NOT_FOUND', false, 'move'],
    [true, 'HTTP_404', false, 'move'],
    [true, 'DNS_NO_RECORD', false, 'move'],
    [true, 'TOKEN_NOT_FOUND', true, 'dispute'],
    [true, 'PROOF_FOUND', false, 'dispute'],
    // Nobody loses a domain because a server was slow or broken for a moment.
    [true, 'TIMEOUT', false, 'dispute'],
    [true, 'HTTP_503', false, 'dispute'],
    [true, 'CONNECTION_FAILED', false, 'dispute'],
    [true, '', false, 'dispute'],
  ] as const)(
    'claimant %s, holder %s, objection %s · %s',
    (claimantProves, holderOutcome, hasObjection, answer) => {
      expect(transferAnswer({ claimantProves, holderOutcome, hasObjection })).toBe(answer);
    },
  );
});
