import {
  reportExportLifecycle,
  type ReportExportStatus,
} from '../../../domain/lifecycle/report-export.ts';
import { transition } from '../../../domain/lifecycle/transition.ts';
import { illegalMoves } from '../../support/lifecycles.ts';

describe('report_exports.status', () => {
  const legal: [
    ReportExportStatus,
    keyof (typeof reportExportLifecycle)['moves'],
    ReportExportStatus,
  ][] = [
    ['WRITING', 'finish', 'READY'],
    ['WRITING', 'fail', 'FAILED'],
    ['READY', 'expire', 'EXPIRED'],
  ];

  test.each(legal)('%s · %s · is %s', (from, action, to) => {
    expect(transition(reportExportLifecycle, from, action)).toBe(to);
  });

  test('every other move · of all pairs · is refused', () => {
    const refused = illegalMoves(reportExportLifecycle);
    expect(refused).toHaveLength(9);
    for (const [from, action] of refused) {
      expect(() => transition(reportExportLifecycle, from, action)).toThrow(
        `Cannot ${action} while ${from}.`,
      );
    }
  });
});
