import { copyFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { CrashStand } from './flow-crashes.ts';

/**
 * What a run must find: from now on whoever withdraws is told everything twice, and one payment was made twice.
 * Takes it back, but for the payment.
 */
export async function plantFaults({
  platform,
  payments,
}: CrashStand): Promise<() => Promise<void>> {
  await platform.pool.query(`
    CREATE FUNCTION told_twice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO notifications (account_id, kind, subject_type, subject_id)
        VALUES (NEW.account_id, NEW.kind, NEW.subject_type, NEW.subject_id);
      RETURN NULL;
    END $$;
    CREATE TRIGGER planted AFTER INSERT ON notifications FOR EACH ROW
      WHEN (NEW.subject_type = 'withdrawal' AND pg_trigger_depth() = 0) EXECUTE FUNCTION told_twice();
  `);
  const [first] = readdirSync(payments).filter((name) => name.endsWith('.json'));
  if (first === undefined) throw new Error('nothing was paid that could be paid twice');
  copyFileSync(path.join(payments, first), path.join(payments, 'planted.json'));
  return async () => {
    await platform.pool.query('DROP FUNCTION told_twice CASCADE');
  };
}
