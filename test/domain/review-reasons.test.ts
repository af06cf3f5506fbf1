import { TASK_KINDS } from '../../domain/lifecycle/task.ts';
import { reasonCodesOf, reasonsForOwner, reasonsOf } from '../../domain/review-reasons.ts';

describe('reasons', () => {
  test.each(TASK_KINDS)('%s · has reasons, each once, the open one last', (kind) => {
    const codes = reasonCodesOf(kind);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.at(-1)).toBe('OTHER');
    expect(reasonsOf(kind).map(({ code }) => code)).toEqual(codes);
  });

  test('every text · is there in both languages, and Chinese is Chinese', () => {
    for (const reason of TASK_KINDS.flatMap(reasonsOf)) {
      for (const { en, zh } of [reason.title, reason.text, reason.guidance]) {
        expect(en).toMatch(/^[A-Z].*[a-z.]$/);
        expect(zh).toMatch(/\p{Script=Han}/u);
      }
    }
  });

  test('an owner · is told of what is theirs, and each code once per thing', () => {
    const ofAdvertiser = reasonsForOwner('advertiser');
    const ofPublisher = reasonsForOwner('publisher');
    const subjects = (reasons: { subjectType: string }[]) => [
      ...new Set(reasons.map(({ subjectType }) => subjectType)),
    ];
    expect(subjects(ofAdvertiser)).toEqual([
      'campaign',
      'adgroup',
      'ad',
      'creative',
      'kyc',
      'deposit',
    ]);
    expect(subjects(ofPublisher)).toEqual(['site', 'zone', 'kyc', 'withdrawal', 'removal_appeal']);
    for (const reasons of [ofAdvertiser, ofPublisher]) {
      const keys = reasons.map(({ subjectType, code }) => `${subjectType} ${code}`);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  test('whatever a decision may say of a thing · its owner can look up', () => {
    const known = new Set(
      [...reasonsForOwner('advertiser'), ...reasonsForOwner('publisher')].map(({ code }) => code),
    );
    expect(TASK_KINDS.flatMap(reasonCodesOf).filter((code) => !known.has(code as never))).toEqual(
      [],
    );
  });
});
