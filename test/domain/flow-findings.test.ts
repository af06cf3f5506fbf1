import { answerTo, HEALS_MAX } from '../../domain/flow-findings.ts';

const NEW = { heals: 0, seenBefore: false, canHeal: true };

test.each([
  ['what can be healed', NEW, 'heal'],
  ['what came again, not too often', { ...NEW, heals: HEALS_MAX - 1 }, 'heal'],
  ['what comes again and again', { ...NEW, heals: HEALS_MAX }, 'raise'],
  ['what only a person can heal, first seen', { ...NEW, canHeal: false }, 'watch'],
  ['the same, seen again', { ...NEW, canHeal: false, seenBefore: true }, 'raise'],
  ['what may settle by itself, first seen', { ...NEW, isPatient: true }, 'watch'],
  ['the same, seen again', { ...NEW, isPatient: true, seenBefore: true }, 'heal'],
] as const)('%s · %j · %s', (_name, sighting, answer) => {
  expect(answerTo(sighting)).toBe(answer);
});
