import { createAgent } from '../support/agents';
import { createCampaign, csv } from '../support/campaigns';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';

/** More recipients than 500 blocks of the search have. */
const COUNT = 64_500;
const BLOCK = 128;

/** The numbers are in the order of the list. */
const createNumber = (index: number) => `+1${5_550_000_000 + index}`;

/** One recipient of each block is a Zoë. */
const ZOES = Array.from({ length: Math.ceil(COUNT / BLOCK) }, (_, block) => createNumber(block * BLOCK));

const LISTED_AT_MOST = { recipients: 5_000, blocks: 500 };

describe('A search in a campaign with many recipients', () => {
  const parley = useOwnParley();
  let owner: TestWorkspace;
  let id: string;

  beforeAll(async () => {
    owner = await parley.workspace();
    const rows = Array.from(
      { length: COUNT },
      (_, index) => `${createNumber(index)},${index % BLOCK === 0 ? 'Zoë' : 'Benben'}`,
    );
    const scheduleTime = new Date(Date.now() + 86_400_000).toISOString();
    const file = csv(['phone_number,customer_name', ...rows].join('\n'));
    id = await createCampaign(owner.api, await createAgent(owner), file, {
      isScheduled: 'true',
      scheduleTime,
    });
  });

  async function find(query: Record<string, string>) {
    const { status, body } = await owner.api.get(
      `/api/campaign/${id}/recipients?${new URLSearchParams(query).toString()}`,
    );
    expect(status).toBe(200);
    const numbers = (body.data as { phone_number: string }[]).map(({ phone_number }) => phone_number);
    const { total, totalIsLowerBound, hasNextPage } = body.pagination as Record<string, unknown>;
    return { numbers, total, totalIsLowerBound, hasNextPage };
  }

  test('counts all who have three characters, however many they are', async () => {
    expect(await find({ search: 'BEN', limit: '2' })).toEqual({
      numbers: [createNumber(1), createNumber(2)],
      total: COUNT - ZOES.length,
      totalIsLowerBound: undefined,
      hasNextPage: true,
    });
    expect(await find({ search: '+1555' })).toMatchObject({ total: COUNT, totalIsLowerBound: undefined });
    expect(await find({ search: 'zoë', page: '50' })).toMatchObject({
      numbers: ZOES.slice(490, 500),
      total: ZOES.length,
      totalIsLowerBound: undefined,
    });
  });

  test.each([
    ['one character', { search: 'b' }],
    ['two characters', { search: 'Be' }],
    ['three characters and a status', { search: 'ben', status: 'pending' }],
  ])('lists the first 5,000 who have %s, and says that there may be more', async (_, query) => {
    const last = { ...query, limit: '100', page: String(LISTED_AT_MOST.recipients / 100) };
    const bens = Array.from({ length: LISTED_AT_MOST.recipients * 1.1 }, (__, index) => index)
      .filter((index) => index % BLOCK !== 0)
      .map(createNumber);

    expect(await find(last)).toEqual({
      numbers: bens.slice(LISTED_AT_MOST.recipients - 100, LISTED_AT_MOST.recipients),
      total: LISTED_AT_MOST.recipients,
      totalIsLowerBound: true,
      hasNextPage: false,
    });
  });

  test('finds few who have two characters until it has read 500 blocks', async () => {
    expect(await find({ search: 'oë', page: '50' })).toMatchObject({
      numbers: ZOES.slice(490, 500),
      total: LISTED_AT_MOST.blocks,
      totalIsLowerBound: true,
    });
  });

  test('says that there may be more if none of the first has the status', async () => {
    const removed = createNumber(COUNT - 1);
    await owner.api.delete(`/api/campaign/${id}/recipients/${encodeURIComponent(removed)}`);

    expect(await find({ search: 'ben', status: 'skipped' })).toEqual({
      numbers: [],
      total: 0,
      totalIsLowerBound: true,
      hasNextPage: false,
    });
    expect(await find({ search: removed, status: 'skipped' })).toEqual({
      numbers: [removed],
      total: 1,
      totalIsLowerBound: undefined,
      hasNextPage: false,
    });
  });

  test('does not find a person after the erasure, and counts the others', async () => {
    const person = ZOES[0] as string;
    const { body } = await owner.api.post('/api/erasures', { phone_number: person });
    const { erasure_id } = body.data as { erasure_id: string };
    await until(async () => {
      const erasure = await owner.api.get(`/api/erasures/${erasure_id}`);
      return erasure.body.data.status === 'completed';
    });

    expect(await find({ search: 'zoë', limit: '1' })).toMatchObject({
      numbers: [ZOES[1]],
      total: ZOES.length - 1,
    });
    expect(await find({ search: 'oë', limit: '1' })).toMatchObject({ numbers: [ZOES[1]] });
    expect(await find({ search: person })).toMatchObject({ numbers: [], total: 0 });
    expect(await find({ search: 'oë', status: 'skipped' })).toMatchObject({ numbers: [], total: 0 });
  });

  test('does not count beyond half a million recipients what most of them have', async () => {
    const blocks = Math.ceil(COUNT / BLOCK);
    const COPIES = 9;
    const { total: zoes } = await find({ search: 'zoë' });
    await parley.sql(
      `INSERT INTO recipient_search_blocks
       SELECT campaign_id, block + copy * $2::int, numbers, names, irregular
       FROM recipient_search_blocks CROSS JOIN generate_series(1, $3::int) AS copy WHERE campaign_id = $1`,
      [id, blocks, COPIES - 1],
    );

    // The last block of each copy is not full.
    const counted = 4_096 * (BLOCK - 1) - Math.floor(4_096 / blocks) * (BLOCK * blocks - COUNT);
    expect(await find({ search: 'ben' })).toMatchObject({ total: counted, totalIsLowerBound: true });
    expect(await find({ search: 'zoë' })).toMatchObject({
      total: COPIES * (zoes as number),
      totalIsLowerBound: undefined,
    });
  });
});
