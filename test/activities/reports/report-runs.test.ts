import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { forgetPerson } from '../../../activities/accounts/saved-views.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { createExportActivities } from '../../../activities/reports/exports.ts';
import { sendDueReports } from '../../../activities/reports/report-runs.ts';
import { createReportScheduleActivities } from '../../../activities/reports/report-schedules.ts';
import { createExportStore } from '../../../db/files/export-store.ts';
import { runner } from '../../../db/postgres.ts';
import type { ScheduleOwner } from '../../../db/queries/report-schedules.ts';
import { placeOf } from '../../../db/sealed-columns.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import {
  makeAdvertiser,
  makeMember,
  makeOperator,
  makePublisher,
} from '../../support/make/account.ts';
import { activityDeps } from '../../support/settlement.ts';

/** interface 5.24: what a round begins, and what becomes of it. */
let database: TestDatabase;
let deps: ActivityDeps;
let now = new Date('2026-11-29T07:30:00Z');

beforeAll(async () => {
  database = await createTestDatabase();
  deps = { ...activityDeps(database), clock: () => now };
  const folder = mkdtempSync(path.join(tmpdir(), 'adplatform-runs-'));
  deps.providers = { ...deps.providers, exportStore: createExportStore(folder) };
});
afterAll(async () => {
  await database.close();
});
beforeEach(async () => {
  now = new Date('2026-11-29T07:30:00Z');
  await database.pool.query('DELETE FROM report_schedules');
  await database.pool.query('DELETE FROM mails');
});

const FIELDS = {
  name: 'Morning',
  groupBy: 'date,campaign',
  filter: {},
  period: 'YESTERDAY',
  timezone: 'Europe/Berlin',
  figures: 'spend,clicks',
  format: 'csv',
  frequency: 'DAILY',
  weekday: null,
  monthDay: null,
  hour: 9,
  isPaused: false,
} as const;
type Fields = Parameters<
  ReturnType<typeof createReportScheduleActivities>['addReportSchedule']
>[0]['fields'];

const schedules = () => createReportScheduleActivities(deps);
const add = async (owner: ScheduleOwner, given: Partial<Fields> = {}): Promise<number> =>
  (await schedules().addReportSchedule({ owner, fields: { ...FIELDS, ...given } })).id;

async function newOwner(): Promise<ScheduleOwner & { accountId: number }> {
  const { id } = await makeAdvertiser(database.db);
  return { personType: 'ACCOUNT', personId: id, accountId: id };
}
async function newMember(): Promise<ScheduleOwner & { accountId: number }> {
  const account = await makeAdvertiser(database.db);
  const member = await makeMember(database.db, account, 'VIEWER');
  await member.update({ emailConfirmedAt: now });
  return { personType: 'MEMBER', personId: member.id, accountId: account.id };
}
async function newOperator(role: 'FINANCE' | 'REVIEWER' = 'FINANCE'): Promise<ScheduleOwner> {
  const operator = await makeOperator(database.db, role);
  await operator.update({ emailConfirmedAt: now });
  return { personType: 'OPERATOR', personId: operator.id, accountId: null };
}

interface Run {
  id: string;
  due: string;
  start: string;
  end: string;
  export_id: string | null;
  sent: boolean;
  failure: string | null;
}
async function runsOf(id: number): Promise<Run[]> {
  const { rows } = await database.pool.query<Run>(
    `SELECT id, to_char(due_at AT TIME ZONE 'UTC', 'MM-DD HH24:MI') AS due, start_date::text AS start,
       end_date::text AS end, export_id, sent_at IS NOT NULL AS sent, failure
     FROM report_runs WHERE schedule_id = $1 ORDER BY due_at`,
    [id],
  );
  return rows;
}
async function letters(
  kind = 'report_ready',
): Promise<{ account: string | null; member: string | null; text: string }[]> {
  const { rows } = await database.pool.query<{
    id: string;
    account_id: string | null;
    member_id: string | null;
    operator_id: string | null;
    sealed: string;
  }>('SELECT * FROM mails WHERE kind = $1 ORDER BY id', [kind]);
  return rows.map(
    ({ id, account_id: account, member_id: member, operator_id: operator, sealed }) => ({
      account,
      member,
      text: deps.providers.sealer.open(
        sealed,
        placeOf('mails.sealed', account, member, operator, id),
      ),
    }),
  );
}
const at = (text: string): void => {
  now = new Date(text);
};
const write = async (exportId: string | null | undefined): Promise<void> => {
  const activities = createExportActivities(deps);
  await new MockActivityEnvironment().run(
    async () => await activities.writeExport({ exportId: Number(exportId) }),
  );
};
const suspend = async (table: string, id: number): Promise<unknown> =>
  await database.pool.query(`UPDATE ${table} SET status = 'SUSPENDED' WHERE id = $1`, [id]);

test('before its hour · a round · begins nothing', async () => {
  const id = await add(await newOwner());
  expect(await sendDueReports(deps)).toEqual({ begun: 0, ended: 0, passed: 0, failed: 0 });
  expect(await runsOf(id)).toEqual([]);
});

test('at its hour · rounds at once and again · one export, and with its file one letter', async () => {
  const owner = await newOwner();
  const id = await add(owner);
  at('2026-11-29T08:00:30Z');
  const rounds = await Promise.all([sendDueReports(deps), sendDueReports(deps)]);
  expect(rounds.reduce((sum, { begun }) => sum + begun, 0)).toBe(1);
  await sendDueReports(deps);
  const [run, ...others] = await runsOf(id);
  expect(others).toEqual([]);
  expect(run).toMatchObject({ due: '11-29 08:00', start: '2026-11-28', end: '2026-11-28' });
  expect(await letters()).toEqual([]);
  await write(run?.export_id);
  await write(run?.export_id);
  expect(await runsOf(id)).toMatchObject([{ sent: true, failure: null }]);
  const [letter, ...more] = await letters();
  expect(more).toEqual([]);
  expect(letter?.account).toBe(String(owner.accountId));
  expect(JSON.parse(letter?.text ?? '{}')).toEqual({
    name: 'Morning',
    report: `advertiser/reports?range=own&from=2026-11-28&to=2026-11-28&by=date%2Ccampaign&zone_name=Europe%2FBerlin&figures=spend%2Cclicks&file=${run?.export_id}`,
    schedules: 'advertiser/reports?schedules=yes',
  });
});

test('its file is ready · nobody of the account who did not ask · hears of it', async () => {
  const owner = await newOwner();
  const id = await add(owner);
  at('2026-11-29T08:00:30Z');
  await sendDueReports(deps);
  await write((await runsOf(id))[0]?.export_id);
  const { rows } = await database.pool.query(
    `SELECT 1 FROM notifications WHERE account_id = $1 AND kind = 'export_ready'`,
    [owner.accountId],
  );
  expect(rows).toEqual([]);
});

test('a crash between file and letter · neither is there, and the next attempt makes both once', async () => {
  const id = await add(await newOwner());
  at('2026-11-29T08:00:30Z');
  await sendDueReports(deps);
  const [run] = await runsOf(id);
  // The last statement of the transaction fails: as a process that dies before its commit.
  await database.pool.query(
    `CREATE FUNCTION no_letters() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'died'; END $$;
     CREATE TRIGGER no_letters BEFORE INSERT ON mails FOR EACH ROW EXECUTE FUNCTION no_letters()`,
  );
  try {
    await expect(write(run?.export_id)).rejects.toThrow('died');
  } finally {
    await database.pool.query('DROP FUNCTION no_letters CASCADE');
  }
  const { rows } = await database.pool.query('SELECT status FROM report_exports WHERE id = $1', [
    run?.export_id,
  ]);
  expect(rows).toEqual([{ status: 'WRITING' }]);
  expect(await runsOf(id)).toMatchObject([{ sent: false, failure: null }]);
  await write(run?.export_id);
  expect(await letters()).toHaveLength(1);
  expect(await runsOf(id)).toMatchObject([{ sent: true }]);
});

test('a crash while a run is begun · leaves it due, and the next round begins it', async () => {
  const id = await add(await newOwner());
  at('2026-11-29T08:00:30Z');
  await database.pool.query(
    `CREATE FUNCTION no_flows() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'died'; END $$;
     CREATE TRIGGER no_flows BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION no_flows()`,
  );
  try {
    expect(await sendDueReports(deps)).toMatchObject({ begun: 0, failed: 1 });
  } finally {
    await database.pool.query('DROP FUNCTION no_flows CASCADE');
  }
  expect(await runsOf(id)).toEqual([]);
  expect(await sendDueReports(deps)).toMatchObject({ begun: 1, failed: 0 });
  expect(await runsOf(id)).toHaveLength(1);
});

test('four days away · back again · one run, of the latest day', async () => {
  const id = await add(await newOwner());
  at('2026-12-03T10:00:00Z');
  await sendDueReports(deps);
  expect(await runsOf(id)).toMatchObject([{ due: '12-03 08:00', start: '2026-12-02' }]);
  at('2026-12-04T08:00:00Z');
  await sendDueReports(deps);
  expect(await runsOf(id)).toMatchObject([{}, { due: '12-04 08:00', start: '2026-12-03' }]);
});

test('two who ask the same · one file · a letter for each', async () => {
  const owner = await newOwner();
  const member = await makeMember(
    database.db,
    { id: owner.accountId, kind: 'ADVERTISER' },
    'FINANCE',
  );
  await member.update({ emailConfirmedAt: now });
  const first = await add(owner);
  await add({ personType: 'MEMBER', personId: member.id, accountId: owner.accountId });
  at('2026-11-29T08:00:30Z');
  expect(await sendDueReports(deps)).toMatchObject({ begun: 2 });
  await write((await runsOf(first))[0]?.export_id);
  expect((await letters()).map((letter) => letter.member)).toEqual([null, String(member.id)]);
});

describe('nobody is written to', () => {
  const GONE: Record<string, () => Promise<{ owner: ScheduleOwner; go: () => Promise<unknown> }>> =
    {
      'whose account is suspended': async () => {
        const owner = await newOwner();
        return { owner, go: async () => await suspend('accounts', owner.accountId) };
      },
      'whose membership is suspended': async () => {
        const owner = await newMember();
        return { owner, go: async () => await suspend('members', owner.personId) };
      },
      'a member of an account that is suspended': async () => {
        const owner = await newMember();
        return { owner, go: async () => await suspend('accounts', owner.accountId) };
      },
      'an operator who is suspended': async () => {
        const owner = await newOperator();
        return { owner, go: async () => await suspend('operators', owner.personId) };
      },
      'an operator who may not read the report any more': async () => {
        const owner = await newOperator();
        return {
          owner,
          go: async () =>
            await database.pool.query(`UPDATE operators SET role = 'REVIEWER' WHERE id = $1`, [
              owner.personId,
            ]),
        };
      },
    };
  test.each(Object.keys(GONE))('%s · when it is due · passed over, and due again', async (sort) => {
    const { owner, go } = (await GONE[sort]?.()) ?? { owner: await newOwner(), go: async () => 0 };
    const groupBy = owner.accountId === null ? 'date' : FIELDS.groupBy;
    const id = await add(owner, { groupBy });
    await go();
    at('2026-11-29T08:00:30Z');
    expect(await sendDueReports(deps)).toMatchObject({ begun: 0, ended: 0, passed: 1 });
    expect(await runsOf(id)).toEqual([]);
    expect(await sendDueReports(deps)).toMatchObject({ passed: 0 });
    expect(await letters()).toEqual([]);
  });

  test('who was suspended while the file was written · the run says so', async () => {
    const owner = await newOwner();
    const id = await add(owner);
    at('2026-11-29T08:00:30Z');
    await sendDueReports(deps);
    await suspend('accounts', owner.accountId);
    await write((await runsOf(id))[0]?.export_id);
    expect(await runsOf(id)).toMatchObject([{ sent: false, failure: 'not_allowed' }]);
    expect(await letters()).toEqual([]);
  });

  test('whose address is not confirmed · the run says so', async () => {
    const owner = await newOwner();
    const id = await add(owner);
    await database.pool.query('UPDATE accounts SET email_confirmed_at = NULL WHERE id = $1', [
      owner.accountId,
    ]);
    at('2026-11-29T08:00:30Z');
    await sendDueReports(deps);
    await write((await runsOf(id))[0]?.export_id);
    expect(await runsOf(id)).toMatchObject([{ sent: false, failure: 'email_unconfirmed' }]);
    expect(await letters()).toEqual([]);
  });

  test('a member who was removed · has no schedule left', async () => {
    const owner = await newMember();
    const id = await add(owner);
    await forgetPerson(runner(database.db), owner);
    expect(await database.db.models.reportSchedules.findByPk(id)).toBeNull();
  });

  test('of a run whose schedule was deleted meanwhile', async () => {
    const owner = await newOwner();
    const id = await add(owner);
    at('2026-11-29T08:00:30Z');
    await sendDueReports(deps);
    const [run] = await runsOf(id);
    await schedules().deleteReportSchedule({ ...owner, id, ifMatch: undefined });
    await write(run?.export_id);
    expect(await letters()).toEqual([]);
  });
});

test('changed while its run is under way · the run is finished, the next one is of the change', async () => {
  const owner = await newOwner();
  const id = await add(owner);
  at('2026-11-29T08:00:30Z');
  await sendDueReports(deps);
  await schedules().updateReportSchedule(
    { ...owner, id, ifMatch: undefined },
    { hour: 12, period: 'LAST_7_DAYS' },
  );
  await write((await runsOf(id))[0]?.export_id);
  expect(await letters()).toHaveLength(1);
  at('2026-11-29T11:00:30Z');
  await sendDueReports(deps);
  expect(await runsOf(id)).toMatchObject([
    { due: '11-29 08:00', start: '2026-11-28', sent: true },
    { due: '11-29 11:00', start: '2026-11-23', end: '2026-11-29' },
  ]);
});

test('paused · due · is not run, and goes on from then', async () => {
  const owner = await newOwner();
  const id = await add(owner);
  await schedules().updateReportSchedule({ ...owner, id, ifMatch: undefined }, { isPaused: true });
  at('2026-12-05T08:00:30Z');
  expect(await sendDueReports(deps)).toMatchObject({ begun: 0, passed: 0 });
  await schedules().updateReportSchedule({ ...owner, id, ifMatch: undefined }, { isPaused: false });
  expect(await sendDueReports(deps)).toMatchObject({ begun: 0 });
  at('2026-12-06T08:00:30Z');
  expect(await sendDueReports(deps)).toMatchObject({ begun: 1 });
});

test('what the report refuses by then · the run says why, and others are sent', async () => {
  const owner = await newOwner();
  const { campaign } = await makeCampaignTree(database.db, (await newOwner()).accountId);
  const id = await add(owner);
  // As somebody who writes into the database: the route would have refused it.
  await database.pool.query('UPDATE report_schedules SET filter = $2 WHERE id = $1', [
    id,
    { campaign_id: Number(campaign.id) },
  ]);
  const other = await add(await newOwner());
  at('2026-11-29T08:00:30Z');
  expect(await sendDueReports(deps)).toMatchObject({ begun: 1, ended: 1 });
  expect(await runsOf(id)).toMatchObject([{ failure: 'not_found', export_id: null, sent: false }]);
  expect(await runsOf(other)).toMatchObject([{ failure: null }]);
});

test('a file that was given up · no letter, and the run says why', async () => {
  const id = await add(await newOwner());
  at('2026-11-29T08:00:30Z');
  await sendDueReports(deps);
  const exportId = Number((await runsOf(id))[0]?.export_id);
  await createExportActivities(deps).failExport({ exportId, reason: 'internal' });
  expect(await runsOf(id)).toMatchObject([{ failure: 'internal', sent: false }]);
  expect(await letters()).toEqual([]);
});

describe('a run that was not sent', () => {
  const giveUp = async (id: number, reason = 'internal'): Promise<void> => {
    await sendDueReports(deps);
    const exportId = Number((await runsOf(id)).at(-1)?.export_id);
    await createExportActivities(deps).failExport({ exportId, reason });
  };
  const told = async (): Promise<{ console: unknown[]; letters: unknown[] }> => {
    const { rows } = await database.pool.query<{ params: unknown }>(
      `SELECT params FROM notifications WHERE kind = 'report_failed'
         AND subject_id IN (SELECT id FROM report_schedules) ORDER BY id`,
    );
    return {
      console: rows.map(({ params }) => params),
      letters: (await letters('notice')).map(({ text }) => JSON.parse(text) as unknown),
    };
  };
  const confirmed = async (): Promise<ScheduleOwner & { accountId: number }> => {
    const owner = await newOwner();
    await database.pool.query('UPDATE accounts SET email_confirmed_at = now() WHERE id = $1', [
      owner.accountId,
    ]);
    return owner;
  };

  test('of an owner · again and again · is told once, in the inbox and by a letter', async () => {
    const id = await add(await confirmed());
    at('2026-11-29T08:00:30Z');
    await giveUp(id);
    at('2026-11-30T08:00:30Z');
    await giveUp(id, 'too_many_rows');
    const params = { name: 'Morning', failure: 'internal' };
    const subject = { type: 'report_schedule', id };
    expect(await told()).toEqual({
      console: [params],
      letters: [{ kind: 'report_failed', params, subject }],
    });
  });

  test('after one that was sent, or a change · is news again', async () => {
    const owner = await confirmed();
    const id = await add(owner);
    at('2026-11-29T08:00:30Z');
    await giveUp(id);
    at('2026-11-30T08:00:30Z');
    await sendDueReports(deps);
    await write((await runsOf(id)).at(-1)?.export_id);
    at('2026-12-01T08:00:30Z');
    await giveUp(id);
    expect((await told()).console).toHaveLength(2);
    await schedules().updateReportSchedule(
      { ...owner, id, ifMatch: undefined },
      { period: 'TODAY' },
    );
    at('2026-12-02T08:00:30Z');
    await giveUp(id);
    expect((await told()).console).toHaveLength(3);
  });

  test('of a member · a letter to them alone, and nothing in the account’s inbox', async () => {
    const owner = await newMember();
    const id = await add(owner);
    at('2026-11-29T08:00:30Z');
    await giveUp(id);
    expect((await told()).console).toEqual([]);
    expect(await letters('notice')).toMatchObject([
      { account: String(owner.accountId), member: String(owner.personId) },
    ]);
  });

  test('of whoever may not read it any more · nobody is told', async () => {
    const owner = await newMember();
    const id = await add(owner);
    at('2026-11-29T08:00:30Z');
    await sendDueReports(deps);
    await suspend('members', owner.personId);
    await write((await runsOf(id))[0]?.export_id);
    expect(await told()).toEqual({ console: [], letters: [] });
  });

  test('for an address that is not confirmed · the inbox alone says so', async () => {
    const owner = await newOwner();
    const id = await add(owner);
    await database.pool.query('UPDATE accounts SET email_confirmed_at = NULL WHERE id = $1', [
      owner.accountId,
    ]);
    at('2026-11-29T08:00:30Z');
    await sendDueReports(deps);
    await write((await runsOf(id))[0]?.export_id);
    expect(await told()).toEqual({
      console: [{ name: 'Morning', failure: 'email_unconfirmed' }],
      letters: [],
    });
  });

  test('refused before there is a file · is told as well', async () => {
    const id = await add(await confirmed());
    const { campaign } = await makeCampaignTree(database.db, (await newOwner()).accountId);
    await database.pool.query('UPDATE report_schedules SET filter = $2 WHERE id = $1', [
      id,
      { campaign_id: Number(campaign.id) },
    ]);
    at('2026-11-29T08:00:30Z');
    await sendDueReports(deps);
    expect(await told()).toMatchObject({
      console: [{ failure: 'not_found' }],
      letters: [{ params: { failure: 'not_found' } }],
    });
  });

  test('a crash before its letter · neither the run nor the inbox says anything yet', async () => {
    const id = await add(await confirmed());
    at('2026-11-29T08:00:30Z');
    await database.pool.query(
      `CREATE FUNCTION no_letters() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE EXCEPTION 'died'; END $$;
       CREATE TRIGGER no_letters BEFORE INSERT ON mails FOR EACH ROW EXECUTE FUNCTION no_letters()`,
    );
    try {
      await expect(giveUp(id)).rejects.toThrow('died');
    } finally {
      await database.pool.query('DROP FUNCTION no_letters CASCADE');
    }
    expect(await runsOf(id)).toMatchObject([{ failure: null }]);
    expect(await told()).toEqual({ console: [], letters: [] });
    await giveUp(id);
    expect((await told()).letters).toHaveLength(1);
  });
});

test('of an operator · due · is told at once, and leads to the page', async () => {
  const owner = await newOperator();
  const id = await add(owner, { groupBy: 'date,advertiser', filter: { advertiser_id: 7 } });
  at('2026-11-29T08:00:30Z');
  expect(await sendDueReports(deps)).toMatchObject({ ended: 1 });
  expect(await runsOf(id)).toMatchObject([{ sent: true, export_id: null }]);
  expect(
    (await letters()).map(({ text }) => (JSON.parse(text) as { report: string }).report),
  ).toEqual([
    'operator/reports?range=own&from=2026-11-28&to=2026-11-28&by=date%2Cadvertiser&zone_name=Europe%2FBerlin&figures=spend%2Cclicks&advertiser_id=7',
  ]);
});

test('of a publisher · by zones · asks for the publisher’s report', async () => {
  const { id: accountId } = await makePublisher(database.db);
  const id = await add(
    { personType: 'ACCOUNT', personId: accountId, accountId },
    { groupBy: 'zone' },
  );
  at('2026-11-29T08:00:30Z');
  await sendDueReports(deps);
  await write((await runsOf(id))[0]?.export_id);
  expect((await letters())[0]?.text).toContain('publisher/reports?');
});

test('ten thousand due at one minute · rounds · in lots, as fast as files are written, each once', async () => {
  const owner = await newOwner();
  const id = await add(owner);
  await database.pool.query(
    `INSERT INTO report_schedules (person_type, person_id, account_id, name, group_by, filter, period, timezone,
       format, frequency, hour, next_run_at)
     SELECT person_type, person_id, account_id, name || i, group_by, filter, period, timezone, format, frequency,
       hour, next_run_at FROM report_schedules, generate_series(1, 9999) i WHERE id = $1`,
    [id],
  );
  at('2026-11-29T08:00:30Z');
  // Not more at once than leaves room for whoever presses for a file.
  expect(await sendDueReports(deps)).toMatchObject({ begun: 200, failed: 0 });
  expect(await sendDueReports(deps)).toMatchObject({ begun: 0 });
  await write((await runsOf(id))[0]?.export_id);
  expect(await letters()).toHaveLength(200);
  expect(await sendDueReports(deps)).toMatchObject({ begun: 200 });
  const { rows } = await database.pool.query(
    'SELECT schedule_id FROM report_runs GROUP BY 1 HAVING count(*) > 1',
  );
  expect(rows).toEqual([]);
});
