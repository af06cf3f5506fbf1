import { createLookupTxt } from '../../../activities/providers/dns.ts';

describe('TXT lookup', () => {
  it('development record · its very name, in any case · told', async () => {
    const lookup = createLookupTxt({ devTxt: new Map([['_adplatform.pub.example', 'code']]) });
    expect(await lookup('_adplatform.PUB.example')).toEqual({ ok: true, records: ['code'] });
  });

  it('a name that cannot be · looked up · a named outcome', async () => {
    const outcome = await createLookupTxt()('bad name.invalid');
    expect(outcome.ok).toBe(false);
  });
});
