import { ApplicationFailure } from '@temporalio/common';
import { conflict, DomainError } from '../../domain/errors.ts';
import { refusalsAreFinal } from '../../worker/interceptors.ts';

async function run(error: Error): Promise<unknown> {
  const { inbound } = refusalsAreFinal({} as Parameters<typeof refusalsAreFinal>[0]);
  try {
    return await inbound?.execute?.({ args: [], headers: {} }, () => Promise.reject(error));
  } catch (failure) {
    return failure;
  }
}

it('refusal of ours · in a step · is final under its own name', async () => {
  const failure = await run(conflict('Cannot.', { from: 'PAID' }));
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({ type: 'state_conflict', nonRetryable: true, message: 'Cannot.' });
});

it('trouble · a lost connection, a bug, unavailable · is raised as it is and retried', async () => {
  for (const trouble of [new Error('ECONNRESET'), new DomainError('unavailable')]) {
    expect(await run(trouble)).toBe(trouble);
  }
});

it('step that succeeds · its result · passes through', async () => {
  const { inbound } = refusalsAreFinal({} as Parameters<typeof refusalsAreFinal>[0]);
  const input = { args: [], headers: {} };
  await expect(inbound?.execute?.(input, () => Promise.resolve(7))).resolves.toBe(7);
});
