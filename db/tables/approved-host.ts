import { ref, text, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const approvedHosts = table(
  'approved_hosts',
  {
    advertiserId: ref(),
    host: text(),
    createdAt: time().byDefault(),
  },
  { key: ['advertiserId', 'host'] },
);
export type ApprovedHostRow = Row<typeof approvedHosts>;
