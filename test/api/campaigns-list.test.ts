import { randomUUID } from 'node:crypto';
import { createAgent } from '../support/agents';
import {
  invalid,
  outcome,
  outcomeForStrangers,
  outOfScope,
  refused,
  serverFailed,
  succeeded,
  unauthorized,
  withoutTable,
} from '../support/answers';
import { createCampaign, readCampaign, recipientsFile } from '../support/campaigns';
import { type TestWorkspace, useParley } from '../support/parley';

const NAMES = ['Spring 100%', 'spring_2', 'Summer', 'Autumn'];

describe('Reading campaigns', () => {
  const parley = useParley();
  let owner: TestWorkspace;
  let agentId: string;
  let ids: string[];

  beforeAll(async () => {
    owner = await parley.workspace();
    agentId = await createAgent(owner);
    ids = [];
    for (const [index, campaignName] of NAMES.entries()) {
      ids.push(await createCampaign(owner.api, agentId, recipientsFile(index + 1), { campaignName }));
    }
    await parley.sql(`UPDATE campaigns SET status = 'completed' WHERE id = $1`, [ids[0]]);
    await parley.sql(`UPDATE campaigns SET status = 'failed', failure_reason = 'x' WHERE id = $1`, [ids[1]]);
  });

  const readNames = async (query: string) => {
    const { body } = await owner.api.get(`/api/campaign${query}`);
    return (body.data as { campaignName: string }[]).map(({ campaignName }) => campaignName);
  };

  test('lists them newest first, each with its number of recipients', async () => {
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
    const listed = (index: number, status: string) => ({
      campaign_id: ids[index],
      campaignName: NAMES[index],
      assistantId: agentId,
      status,
      scheduleTime: timestamp,
      recipientCount: index + 1,
      createdAt: timestamp,
      updatedAt: timestamp,
    });

    expect(await outcome(owner.api.get('/api/campaign'))).toEqual(
      succeeded(
        'Campaigns',
        [listed(3, 'scheduled'), listed(2, 'scheduled'), listed(1, 'failed'), listed(0, 'completed')],
        { page: 1, limit: 10, total: 4, totalPages: 1, hasNextPage: false, hasPrevPage: false },
      ),
    );
  });

  test('lists them with their progress on request, as each by itself has it', async () => {
    const { body } = await owner.api.get('/api/campaign?include=progress&limit=3');
    const listed = body.data as { campaign_id: string }[];

    expect(listed.map(({ campaign_id }) => campaign_id)).toEqual([ids[3], ids[2], ids[1]]);
    for (const campaign of listed) {
      const { timezone, progress, results, waiting, ...own } = await readCampaign(
        owner.api,
        campaign.campaign_id,
      );
      const plain = (await owner.api.get('/api/campaign')).body.data.find(
        ({ campaign_id: id }: { campaign_id: string }) => id === own.campaign_id,
      ) as object;
      expect(campaign).toEqual({ ...plain, timezone, progress, results, waiting });
    }
    const stranger = await parley.workspace();
    expect((await stranger.api.get('/api/campaign?include=progress')).body.data).toEqual([]);
  });

  test.each([
    ['?search=SPRING', ['spring_2', 'Spring 100%']],
    ['?search=100%25', ['Spring 100%']],
    ['?search=_', ['spring_2']],
    ['?search=winter', []],
    ['?status=scheduled', ['Autumn', 'Summer']],
    ['?status=running', []],
    ['?status=completed', ['Spring 100%']],
    ['?status=failed&search=spring', ['spring_2']],
    ['?page=2&limit=3', ['Spring 100%']],
    ['?page=3&limit=3', []],
  ])('with %s', async (query, names) => {
    expect(await readNames(query)).toEqual(names);
  });

  test('returns the pagination', async () => {
    const { body } = await owner.api.get('/api/campaign?page=2&limit=3');

    expect(body.pagination).toEqual({
      page: 2,
      limit: 3,
      total: 4,
      totalPages: 2,
      hasNextPage: false,
      hasPrevPage: true,
    });
  });

  test.each([
    ['page=0', 'page'],
    ['page=x', 'page'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['status=stopped', 'status'],
    [`search=${'x'.repeat(201)}`, 'search'],
    ['name=x', 'name'],
    ['include=recipients', 'include'],
  ])('refuses %s', async (query, field) => {
    expect(await outcome(owner.api.get(`/api/campaign?${query}`))).toEqual(invalid(`query.${field}`));
  });

  test('shows one with its progress', async () => {
    const { body } = await owner.api.get('/api/campaign?search=Autumn');

    expect(await outcome(owner.api.get(`/api/campaign/${ids[3]}`))).toEqual(
      succeeded('Campaign', {
        ...body.data[0],
        timezone: 'UTC',
        windows: [],
        concurrency: 10,
        callsPerSecond: null,
        retry: null,
        webhookUrl: null,
        expiresAt: null,
        as_of: expect.stringMatching(/Z$/) as string,
        progress: {
          pending: 4,
          queued: 0,
          accepted: 0,
          connected: 0,
          disconnected: 0,
          failed: 0,
          skipped: 0,
          retrying: 0,
        },
        results: { reached: 0, voicemail: 0, inactivity: 0 },
        outcomes: {},
        retrying_outcomes: {},
        waiting: null,
        calls_last_minute: 0,
        estimated_end: null,
        failureReason: null,
      }),
    );
    expect((await readCampaign(owner.api, ids[1] as string)).failureReason).toBe('x');
  });

  test.each([
    ['unknown', () => randomUUID()],
    ['malformed', () => 'none'],
    [
      "another workspace's",
      async () => {
        const stranger = await parley.workspace();
        return createCampaign(stranger.api, await createAgent(stranger), recipientsFile(1));
      },
    ],
  ])('answers 404 for an id that is %s', async (_, getId) => {
    expect(await outcome(owner.api.get(`/api/campaign/${await getId()}`))).toEqual(
      refused(404, 'Campaign not found', { error_code: 'CAMPAIGN_NOT_FOUND' }),
    );
  });

  test('shows no campaigns of another workspace', async () => {
    const stranger = await parley.workspace();

    expect((await stranger.api.get('/api/campaign')).body.data).toEqual([]);
  });

  test('still shows the campaigns of a deleted agent', async () => {
    const other = await createAgent(owner);
    const id = await createCampaign(owner.api, other, recipientsFile(1), { campaignName: 'Kept' });

    await owner.api.delete(`/api/agents/${other}`);

    expect(await readCampaign(owner.api, id)).toMatchObject({ campaignName: 'Kept', assistantId: other });
    expect(await readNames('?search=kept')).toEqual(['Kept']);
  });

  test.each([
    ['the list', () => '/api/campaign'],
    ['one', () => `/api/campaign/${ids[0]}`],
  ])('accepts an unscoped credential for %s, and fails with the envelope', async (_, buildPath) => {
    const send = (api: TestWorkspace['api']) => api.get(buildPath());

    expect(await outcomeForStrangers(parley, send)).toEqual(unauthorized());
    expect(await outcome(send(parley.scoped(owner, `agent:${agentId}`)))).toEqual(outOfScope());
    expect(await withoutTable(parley, 'campaigns', () => outcome(send(owner.api)))).toEqual(serverFailed());
  });
});
