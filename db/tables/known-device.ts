import { PERSON_TYPES } from '../../domain/person.ts';
import { id, ref, text, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const knownDevices = table('known_devices', {
  id: id(),
  personType: word(PERSON_TYPES),
  personId: ref(),
  tokenHash: text(),
  network: text(),
  createdAt: time().byDefault(),
  lastSeenAt: time().byDefault(),
});
export type KnownDeviceRow = Row<typeof knownDevices>;
