import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import path from 'node:path';

/** Loaded before a program (BENCH_PROFILE): what V8 saw of it is written where it ends. */
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.start');
process.once('exit', () => {
  session.post('Profiler.stop', (error, result) => {
    if (error !== null) throw error;
    const file = path.join(process.env.BENCH_PROFILE, `${process.pid}.cpuprofile`);
    writeFileSync(file, JSON.stringify(result.profile));
  });
});
