import { hasAdsTxtProof, hasFileProof, hasTxtProof } from '../../../domain/lifecycle/site-proof.ts';
import {
  readVerifyMethod,
  siteDelivery,
  siteVerificationLifecycle,
  siteVerifyLifecycle,
  type VerificationStatus,
  VERIFY_RETRY_SECONDS,
  type VerifyStatus,
  zoneDelivery,
} from '../../../domain/lifecycle/site.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

const CODE = '0123456789abcdef0123456789abcdef';

describe('file, TXT and ads.txt proofs', () => {
  it('file · the code alone, with or without line end and mark · found', () => {
    expect(hasFileProof(CODE, CODE)).toBe(true);
    expect(hasFileProof(`\uFEFF${CODE}\r\n`, CODE)).toBe(true);
    expect(hasFileProof(`<html>${CODE}</html>`, CODE)).toBe(false);
    expect(hasFileProof(`${CODE}\nmore`, CODE)).toBe(false);
  });

  it('TXT · one record among others · found', () => {
    expect(hasTxtProof(['v=spf1 -all', CODE], CODE)).toBe(true);
    expect(hasTxtProof([`adplatform-verification=${CODE}`], CODE)).toBe(true);
    expect(hasTxtProof([`x${CODE}`], CODE)).toBe(false);
    expect(hasTxtProof([], CODE)).toBe(false);
  });

  it.each([
    ['ads.platform.example, pub-7, DIRECT', true],
    ['ADS.platform.EXAMPLE,pub-7,direct,f08c47fec0942fa0 # ours', true],
    ['# ads.platform.example, pub-7, DIRECT', false],
    ['ads.platform.example, pub-71, DIRECT', false],
    ['ads.platform.example, pub-7, RESELLER', false],
    ['other.example, pub-7, DIRECT', false],
    ['contact=x\r\nads.platform.example, pub-7, DIRECT\r\n', true],
  ])('ads.txt · %s · %s', (text, found) => {
    expect(hasAdsTxtProof(text, { domain: 'ads.platform.example', publisherId: 7 })).toBe(found);
  });
});

describe('verification method', () => {
  it.each([
    ['META', 'META'],
    ['meta', 'META'],
    ['meta_tag', 'META'],
    ['Meta-Tag', 'META'],
    ['FILE', 'FILE'],
    ['html', 'FILE'],
    ['dns', 'DNS'],
    ['dns_txt', 'DNS'],
    ['TXT', 'DNS'],
    ['ads.txt', 'ADS_TXT'],
    ['ADS_TXT', 'ADS_TXT'],
    ['app-ads.txt', 'ADS_TXT'],
  ])('%s · read · %s', (text, method) => {
    expect(readVerifyMethod(text)).toBe(method);
  });

  it.each(['', 'EMAIL', 'constructor', '__proto__'])('%s · read · unknown', (text) => {
    expect(readVerifyMethod(text)).toBeUndefined();
  });

  it('waits · summed · 72 hours', () => {
    expect(VERIFY_RETRY_SECONDS.reduce((sum, wait) => sum + wait, 0)).toBe(72 * 3_600);
  });
});

describe('delivery of a zone', () => {
  const approved = { status: 'ACTIVE', auditStatus: 'APPROVED' } as const;

  it('all approved · read · eligible without reasons', () => {
    expect(zoneDelivery(approved, approved)).toEqual({ status: 'ELIGIBLE', reasons: [] });
  });

  it('several hindrances · read · the gravest status, every reason', () => {
    const zone = { status: 'PAUSED', auditStatus: 'PENDING' } as const;
    const site = { status: 'ACTIVE', auditStatus: 'SUSPENDED' } as const;
    expect(zoneDelivery(zone, site)).toEqual({
      status: 'NOT_ELIGIBLE',
      reasons: ['ZONE_PAUSED', 'ZONE_PENDING', 'SITE_SUSPENDED'],
    });
  });

  it('lapsed verification · read · told beside the status', () => {
    expect(siteDelivery({ ...approved, verifyStatus: 'LAPSED' })).toEqual({
      status: 'ELIGIBLE',
      reasons: ['SITE_VERIFICATION_LAPSED'],
    });
  });
});

describe('sites.verify_status', () => {
  const legal: [VerifyStatus, 'verify' | 'lapse' | 'reset', VerifyStatus][] = [
    ['UNVERIFIED', 'verify', 'VERIFIED'],
    ['LAPSED', 'verify', 'VERIFIED'],
    ['VERIFIED', 'verify', 'VERIFIED'],
    ['VERIFIED', 'lapse', 'LAPSED'],
    ['UNVERIFIED', 'reset', 'UNVERIFIED'],
    ['VERIFIED', 'reset', 'UNVERIFIED'],
    ['LAPSED', 'reset', 'UNVERIFIED'],
  ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(siteVerifyLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const illegal = illegalMoves(siteVerifyLifecycle);
    const pairs =
      siteVerifyLifecycle.statuses.length * Object.keys(siteVerifyLifecycle.moves).length;
    expect(illegal).toHaveLength(pairs - legal.length);
    for (const [from, action] of illegal) {
      expect(() => transition(siteVerifyLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});

describe('site_verifications.status', () => {
  const legal: [VerificationStatus, 'verify' | 'fail' | 'void' | 'contest', VerificationStatus][] =
    [
      ['RUNNING', 'verify', 'VERIFIED'],
      ['RUNNING', 'fail', 'FAILED'],
      ['RUNNING', 'void', 'VOID'],
      ['RUNNING', 'contest', 'HELD'],
    ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(siteVerificationLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const illegal = illegalMoves(siteVerificationLifecycle);
    const pairs =
      siteVerificationLifecycle.statuses.length *
      Object.keys(siteVerificationLifecycle.moves).length;
    expect(illegal).toHaveLength(pairs - legal.length);
    for (const [from, action] of illegal) {
      expect(() => transition(siteVerificationLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});
