import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { OnOpening } from '../db/sealed-columns.ts';

/**
 * Who reads a secret leaves a line: which column, which row, by which key; never what it says. One that does not
 * open was altered, or lies in a row that it was not sealed for: somebody has written to the database.
 */
export function noteOpenings(log: Logger, registry: Registry | undefined): OnOpening {
  const counter = (name: string, help: string): Counter =>
    new Counter({ name, help, registers: registry === undefined ? [] : [registry] });
  const opened = counter('adp_sealed_opened_total', 'Sealed texts that were opened');
  const refused = counter('adp_sealed_refused_total', 'Sealed texts that did not open');
  return ({ column, row, keyId, isOpened }) => {
    const line = { sealed_column: column, sealed_row: row, key_id: keyId };
    if (isOpened) {
      opened.inc();
      log.info(line, 'sealed text opened');
    } else {
      refused.inc();
      log.error(line, 'a sealed text does not open: it was altered, or moved from another row');
    }
  };
}
