import { image } from '../../support/images.ts';
import { type Caller, dataOf, faultsOf, idOf } from '../../support/call.ts';
import { approve } from '../../support/make/chain.ts';
import { createStand, type Stand } from '../../support/stand.ts';

let stand: Stand;
let owner: Caller;
let other: Caller;
let mediaId: number;
let foreignMediaId: number;

beforeAll(async () => {
  stand = await createStand();
  owner = await stand.newAdvertiser();
  other = await stand.newAdvertiser();
  mediaId = idOf(await owner.upload('/media/upload', await image('png')));
  foreignMediaId = idOf(
    await other.upload('/media/upload', await image('png', { colour: '#123456' })),
  );
});
afterAll(async () => await stand.close());

async function revisionsOf(id: number): Promise<unknown[]> {
  const { rows } = await stand.database.pool.query(
    `SELECT revision, audit_status, width, html_code FROM creative_revisions WHERE creative_id = $1 ORDER BY revision`,
    [id],
  );
  return rows as unknown[];
}

async function openReviewOf(id: number): Promise<unknown> {
  const { rows } = await stand.database.pool.query<{ revision: number }>(
    `SELECT revision FROM reviews WHERE subject_type = 'creative' AND subject_id = $1 AND status = 'OPEN'`,
    [id],
  );
  return rows.map((row) => row.revision);
}

const VAST_DOCUMENT =
  '<VAST version="3.0"><Ad id="1"><Wrapper><VASTAdTagURI>https://tags.example/v</VASTAdTagURI></Wrapper></Ad></VAST>';

describe('creative · created', () => {
  test('an image · takes size and address from its asset and enters review', async () => {
    const answer = await owner.post('/creatives', { name: 'Banner', image_media_id: mediaId });
    expect(answer.status).toBe(201);
    const media = dataOf(await owner.get('/media'))['items'] as { url: string }[];
    expect(dataOf(answer)).toMatchObject({
      name: 'Banner',
      creative_type: 'image',
      type: 'IMAGE',
      width: 60,
      height: 40,
      image_media_id: mediaId,
      image_url: media[0]?.url,
      video_url: null,
      html_code: null,
      revision: 1,
      approved_revision: null,
      status: 'ACTIVE',
      audit_status: 'PENDING',
      delivery_status: 'PENDING',
      delivery_reasons: ['CREATIVE_PENDING'],
    });
    expect(await openReviewOf(idOf(answer))).toEqual([1]);
    expect(dataOf(await owner.get(`/creatives/${idOf(answer)}`))).toEqual(dataOf(answer));
  });

  test.each<[string, object, object]>([
    ['a named size', { size_id: 2 }, { width: 728, height: 90, size_id: 2 }],
    ['a size of its own', { size_id: 2, width: 700 }, { width: 700, height: 90 }],
    ['two images and an icon', {}, {}],
  ])('%s · is answered', async (_name, fields, expected) => {
    const body = {
      name: 'Sized',
      image_media_id: mediaId,
      image_media_id_2: mediaId,
      icon_media_id: mediaId,
    };
    expect(dataOf(await owner.post('/creatives', { ...body, ...fields }))).toMatchObject({
      ...body,
      ...expected,
    });
  });

  test('code that is blanks alone · is no source, and stays a draft', async () => {
    const body = { name: 'Blank', creative_type: 'html', html_code: ' \n\t ' };
    const answer = await owner.post('/creatives', body);
    expect(dataOf(answer)).toMatchObject({ html_code: null, audit_status: 'DRAFT' });
    const submitted = await owner.post(`/creatives/${idOf(answer)}/submit-audit`);
    expect([submitted.status, faultsOf(submitted)]).toEqual([422, ['html_code required']]);
  });

  test.each<[string, object, string]>([
    ['native', {}, 'NATIVE'],
    ['text', { image_media_id: null }, 'TEXT'],
    ['html', { image_media_id: null, html_code: '<b>Hi</b>' }, 'HTML'],
    ['rich_media', { image_media_id: null, html_code: '<b>Hi</b>' }, 'RICH_MEDIA'],
    ['vast', { image_media_id: null, vast_xml: VAST_DOCUMENT }, 'VIDEO'],
  ])('type %s · is shown as expected when nothing is said', async (creativeType, fields, type) => {
    const body = { name: 'C', creative_type: creativeType, image_media_id: mediaId, ...fields };
    const answer = await owner.post('/creatives', body);
    expect([answer.status, dataOf(answer)['type']]).toEqual([201, type]);
  });

  test.each<[string, object, string[]]>([
    [
      'an image with code beside it',
      { image_media_id: 999_999, html_code: '<b/>' },
      ['html_code source_not_allowed', 'image_media_id unknown'],
    ],
    ['an unknown type', { creative_type: 'hologram' }, ['creative_type one_of']],
    ['an unknown display type', { type: 'banner' }, ['type one_of']],
    [
      'a display that its source cannot fill',
      { creative_type: 'html', html_code: 'x', type: 'VIDEO' },
      ['type one_of'],
    ],
    ['an unknown size', { creative_type: 'text', size_id: 999_999 }, ['size_id unknown']],
    [
      'an external click address',
      { creative_type: 'text', click_url: 'https://evil.example/x' },
      ['click_url external_url'],
    ],
    [
      'a click that leads to another click',
      { creative_type: 'text', click_url: 'http://127.0.0.1:8080/TRACK/click/x' },
      ['click_url tracking_url'],
    ],
    ['vast that is none', { creative_type: 'vast', vast_xml: '<VAST/>' }, ['vast_xml vast']],
    [
      'vast with entities of its own',
      { creative_type: 'vast', vast_xml: `<!DOCTYPE x>${VAST_DOCUMENT}` },
      ['vast_xml vast'],
    ],
    [
      'an external vast address',
      { creative_type: 'vast', vast_url: 'https://evil.example/v.xml' },
      ['vast_url external_url'],
    ],
    [
      'an address by another field',
      { image_url: 'https://evil.example/x.png' },
      ['image_url unknown_field'],
    ],
    [
      'a script as address',
      { creative_type: 'text', click_url: 'javascript:alert(1)' },
      ['click_url external_url', 'click_url url'],
    ],
    [
      'platform fields',
      { audit_status: 'APPROVED', approved_revision: 1, advertiser_id: 2 },
      [
        'advertiser_id unknown_field',
        'approved_revision unknown_field',
        'audit_status unknown_field',
      ],
    ],
    ['a width of 0', { width: 0, height: '40' }, ['height type', 'width min']],
  ])('%s · is 422 on its field', async (_name, fields, expected) => {
    const answer = await owner.post('/creatives', { name: 'C', ...fields });
    expect([answer.status, faultsOf(answer)]).toEqual([422, expected]);
  });

  test.each([
    ['its name alone', {}, 'image_media_id'],
    ['html without code', { creative_type: 'html' }, 'html_code'],
    ['a video without a file', { creative_type: 'video' }, 'video_media_id'],
    ['vast without document and address', { creative_type: 'vast' }, 'vast_xml'],
  ])('%s · is a draft, which cannot be submitted', async (_name, fields, missing) => {
    const answer = await owner.post('/creatives', { name: 'C', ...fields });
    expect(answer.status).toBe(201);
    expect(dataOf(answer)).toMatchObject({
      audit_status: 'DRAFT',
      delivery_reasons: ['CREATIVE_DRAFT'],
    });
    const id = idOf(answer);
    expect(await openReviewOf(id)).toEqual([]);
    const submitted = await owner.post(`/creatives/${id}/submit-audit`);
    expect([submitted.status, faultsOf(submitted)]).toEqual([422, [`${missing} required`]]);
    const bulk = await owner.post('/creatives/bulk', { action: 'submit_audit', ids: [id] });
    expect(dataOf(bulk)).toMatchObject({ items: [{ error: 'validation_failed' }] });
    expect(dataOf(await owner.get(`/creatives/${id}`))).toEqual(dataOf(answer));
  });

  test('a draft of a name · given its source · is submitted', async () => {
    const id = idOf(await owner.post('/creatives', { name: 'C' }));
    await owner.put(`/creatives/${id}`, { image_media_id: mediaId });
    expect(dataOf(await owner.post(`/creatives/${id}/submit-audit`))).toMatchObject({
      revision: 1,
      audit_status: 'PENDING',
    });
    expect(faultsOf(await owner.put(`/creatives/${id}`, { image_media_id: null }))).toEqual([
      'image_media_id required',
    ]);
  });

  test('with the asset of another advertiser · reads as unknown', async () => {
    const answer = await owner.post('/creatives', {
      name: 'C',
      image_media_id: foreignMediaId,
      icon_media_id: foreignMediaId,
    });
    expect([answer.status, faultsOf(answer)]).toEqual([
      422,
      ['icon_media_id unknown', 'image_media_id unknown'],
    ]);
    const wrongKind = await owner.post('/creatives', {
      name: 'C',
      creative_type: 'video',
      video_media_id: mediaId,
    });
    expect(faultsOf(wrongKind)).toEqual(['video_media_id unknown']);
  });

  test.each([
    ['vast_url', /^must be an address of \S+( or \S+)*: a VAST document .* in vast_xml$/],
    ['click_url', /^must be an address of \S+( or \S+)*: the landing_url of its ads/],
  ])(
    '%s of elsewhere · says whose addresses are taken, and what to use instead',
    async (field, words) => {
      const body = { name: 'V', creative_type: 'vast', [field]: 'https://evil.example/v.xml' };
      const answer = await owner.post('/creatives', body);
      const { errors } = dataOf(answer) as { errors: { field: string; message: string }[] };
      expect(errors.find((each) => each.field === field)?.message).toMatch(words);
    },
  );

  test('on our own host · an address is accepted', async () => {
    const vastUrl = `${stand.config.urls.cdn}/media/x.xml`;
    const answer = await owner.post('/creatives', {
      name: 'V',
      creative_type: 'vast',
      vast_url: vastUrl,
    });
    expect([answer.status, dataOf(answer)['vast_url']]).toEqual([201, vastUrl]);
  });
});

describe('creative · edited', () => {
  const html = { name: 'H', creative_type: 'html', html_code: '<b>1</b>', width: 300, height: 250 };

  test('approved, then changed · waits with a new revision while the approved one serves', async () => {
    const id = idOf(await owner.post('/creatives', html));
    await approve(stand, 'creatives', id);
    const answer = await owner.put(`/creatives/${id}`, { html_code: '<b>2</b>' });
    expect(dataOf(answer)).toMatchObject({
      html_code: '<b>2</b>',
      revision: 2,
      approved_revision: 1,
      audit_status: 'PENDING',
      delivery_status: 'ELIGIBLE',
      delivery_reasons: ['REVISION_PENDING'],
    });
    expect(await revisionsOf(id)).toEqual([
      { revision: 1, audit_status: 'APPROVED', width: 300, html_code: '<b>1</b>' },
      { revision: 2, audit_status: 'PENDING', width: 300, html_code: '<b>2</b>' },
    ]);
    expect(await openReviewOf(id)).toEqual([2]);
  });

  test('a new name, or the same content · keeps the approval', async () => {
    const id = idOf(await owner.post('/creatives', html));
    await approve(stand, 'creatives', id);
    const answer = await owner.put(`/creatives/${id}`, {
      name: 'Better',
      html_code: '<b>1</b>',
      width: 300,
    });
    expect(dataOf(answer)).toMatchObject({ name: 'Better', revision: 1, audit_status: 'APPROVED' });
    expect(await revisionsOf(id)).toHaveLength(1);
  });

  test('changed twice before a decision · only the last revision is reviewed', async () => {
    const id = idOf(await owner.post('/creatives', html));
    await owner.put(`/creatives/${id}`, { html_code: '<b>2</b>' });
    await owner.put(`/creatives/${id}`, { html_code: '<b>3</b>' });
    const revisions = (await revisionsOf(id)) as { audit_status: string }[];
    expect(revisions.map((row) => row.audit_status)).toEqual(['DRAFT', 'DRAFT', 'PENDING']);
    expect(await openReviewOf(id)).toEqual([3]);
  });

  test('a draft · is edited in place and submitted when its owner says so', async () => {
    const id = idOf(await owner.post('/creatives', { ...html, save_as_draft: true }));
    expect(dataOf(await owner.put(`/creatives/${id}`, { html_code: '<b>2</b>' }))).toMatchObject({
      revision: 1,
      audit_status: 'DRAFT',
    });
    expect(await openReviewOf(id)).toEqual([]);
    expect(dataOf(await owner.post(`/creatives/${id}/submit-audit`))).toMatchObject({
      audit_status: 'PENDING',
    });
    expect(await revisionsOf(id)).toMatchObject([
      { revision: 1, audit_status: 'PENDING', html_code: '<b>2</b>' },
    ]);
    expect(await openReviewOf(id)).toEqual([1]);
    expect((await owner.post(`/creatives/${id}/submit-audit`)).status).toBe(409);
  });

  test('with a bigger image · takes the size of the new one', async () => {
    const id = idOf(await owner.post('/creatives', { name: 'B', image_media_id: mediaId }));
    const wide = idOf(
      await owner.upload('/media/upload', await image('png', { width: 90, height: 30 })),
    );
    expect(dataOf(await owner.put(`/creatives/${id}`, { image_media_id: wide }))).toMatchObject({
      width: 90,
      height: 30,
    });
  });

  test('to another type or another’s asset · is 422', async () => {
    const id = idOf(await owner.post('/creatives', html));
    expect(faultsOf(await owner.put(`/creatives/${id}`, { creative_type: 'image' }))).toEqual([
      'creative_type read_only',
    ]);
    expect(faultsOf(await owner.put(`/creatives/${id}`, { html_code: null }))).toEqual([
      'html_code required',
    ]);
    expect(
      faultsOf(await owner.put(`/creatives/${id}`, { image_media_id: foreignMediaId })),
    ).toEqual(['image_media_id source_not_allowed', 'image_media_id unknown']);
    expect(await revisionsOf(id)).toHaveLength(1);
  });

  test('by another advertiser · is 404', async () => {
    const id = idOf(await owner.post('/creatives', html));
    for (const attempt of [
      other.get(`/creatives/${id}`),
      other.put(`/creatives/${id}`, { name: 'Mine' }),
      other.delete(`/creatives/${id}`),
      other.post(`/creatives/${id}/toggle`),
      other.post(`/creatives/${id}/submit-audit`),
    ]) {
      expect((await attempt).status).toBe(404);
    }
  });
});

describe('creative · listed', () => {
  test('by type, review and keyword · finds what it says', async () => {
    const lister = await stand.newAdvertiser();
    await lister.post('/creatives', { name: 'Words', creative_type: 'text' });
    await lister.post('/creatives', {
      name: 'Code',
      creative_type: 'html',
      html_code: 'x',
      save_as_draft: true,
    });
    const names = async (query: string): Promise<string[]> => {
      const items = dataOf(await lister.get(`/creatives${query}`))['items'] as { name: string }[];
      return items.map((item) => item.name);
    };
    expect(await names('')).toEqual(['Code', 'Words']);
    expect(await names('?type=TEXT')).toEqual(['Words']);
    expect(await names('?audit_status=DRAFT')).toEqual(['Code']);
    expect(await names('?keyword=wor&status=ACTIVE')).toEqual(['Words']);
    expect((await lister.get('/creatives?type=x')).status).toBe(422);
  });
});
