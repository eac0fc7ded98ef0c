import { parse } from 'csv-parse/sync';
import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { createAgent } from '../support/agents';
import { invalid, outcome, refused } from '../support/answers';
import { createCampaign, csv } from '../support/campaigns';
import { memoryDuring } from '../support/memory';
import { JWT_SECRET, type TestWorkspace, useOwnParley } from '../support/parley';
import { ServerProcess } from '../support/server-process';
import { until } from '../support/until';

type Row = Record<string, string>;

const MANY = 30_000;

/** An export of any size uses up to 115 MB, most of it for garbage. All of these recipients would need 200 MB more. */
const MAX_GROWTH_MB = 160;

const parseRows = (file: string) => parse<Row>(file, { columns: true });

describe('The export of the recipients of a campaign', () => {
  const parley = useOwnParley({ ROLES: 'http', WORKSPACE_CONNECTIONS: '2' });
  let owner: TestWorkspace;
  let agentId: string;

  beforeAll(async () => {
    owner = await parley.workspace();
    agentId = await createAgent(owner);
  });

  const create = (rows: string[], header = 'phone_number,customer_name') =>
    createCampaign(owner.api, agentId, csv([header, ...rows].join('\n')));

  const buildPath = (id: string, query = '') => `/api/campaign/${id}/recipients/export${query}`;

  const read = async (id: string, query = '') => {
    const { status, headers, body } = await owner.api.get(buildPath(id, query));
    if (status !== 200) throw new Error(`The export was answered ${status}: ${JSON.stringify(body)}`);
    return { headers, body: body as string };
  };

  /** Begins an export, and reads nothing of its body. */
  async function begin({ url }: { url: string }, id: string, query = ''): Promise<IncomingMessage> {
    const headers = { 'x-api-key': owner.apiKey };
    const [response] = (await once(
      httpGet(url + buildPath(id, query), { headers, agent: false }),
      'response',
    )) as [IncomingMessage];
    return response;
  }

  test('has a header and a line for each recipient, by their numbers, by RFC 4180', async () => {
    const id = await create(['+15552000011,"Lovelace, Ada"', '+15552000010,Grace']);

    const { headers, body } = await read(id);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe('attachment; filename="recipients.csv"');
    expect(body).toBe(
      'phone_number,customer_name,status,attempts,last_call_id,next_attempt_at,outcome,result\r\n' +
        '+15552000010,Grace,pending,0,,,,\r\n' +
        '+15552000011,"Lovelace, Ada",pending,0,,,,\r\n',
    );
  });

  test('has the objects of the list as JSON lines', async () => {
    const id = await create(['+15552000011,Ada', '+15552000010,Grace']);
    await owner.api.delete(`/api/campaign/${id}/recipients/%2B15552000011`);

    const response = await begin(parley, id, '?format=jsonl');
    expect(response.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    const listed = await owner.api.get(`/api/campaign/${id}/recipients`);
    const lines = (await text(response)).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(listed.body.data);
    expect(listed.body.data).toHaveLength(2);
  });

  test('makes the names harmless that a spreadsheet would run, and keeps the numbers', async () => {
    const id = await create([
      '+15552000010,=1+1',
      '+15552000011,@SUM(A1)',
      '+15552000012,-2+3',
      '+15552000013,"x;""=1"',
    ]);

    expect(parseRows((await read(id)).body)).toMatchObject([
      { phone_number: '+15552000010', customer_name: "'=1+1" },
      { phone_number: '+15552000011', customer_name: "'@SUM(A1)" },
      { phone_number: '+15552000012', customer_name: "'-2+3" },
      { phone_number: '+15552000013', customer_name: `x;"'=1` },
    ]);
  });

  test('takes the filters of the list', async () => {
    const id = await create(['+15552000010,Ada', '+15552000011,Grace', '+15552000012,Ada']);
    await owner.api.delete(`/api/campaign/${id}/recipients/%2B15552000012`);
    const numbers = async (query: string) =>
      parseRows((await read(id, query)).body).map(({ phone_number }) => phone_number);

    expect(await numbers('?search=ada')).toEqual(['+15552000010', '+15552000012']);
    expect(await numbers('?search=0011')).toEqual(['+15552000011']);
    expect(await numbers('?status=skipped')).toEqual(['+15552000012']);
    expect(await numbers('?status=pending&search=ada')).toEqual(['+15552000010']);
    expect(await numbers('?status=connected')).toEqual([]);
  });

  test.each([
    ['format=xml', 'query.format'],
    ['status=lost', 'query.status'],
    ['page=1', 'query.page'],
    ['colour=red', 'query.colour'],
  ])('refuses %s, by name', async (query, field) => {
    const id = await create(['+15552000010,Ada']);
    expect(await outcome(owner.api.get(buildPath(id, `?${query}`)))).toEqual(invalid(field));
  });

  test('is not found for another workspace, as for an id that does not exist', async () => {
    const id = await create(['+15552000010,Ada']);
    const campaignNotFound = refused(404, 'Campaign not found', { error_code: 'CAMPAIGN_NOT_FOUND' });
    const stranger = await parley.workspace();
    expect(await outcome(stranger.api.get(buildPath(id)))).toEqual(campaignNotFound);
    expect(await outcome(owner.api.get(buildPath('nothing')))).toEqual(campaignNotFound);
  });

  describe('of many recipients', () => {
    const numbers = Array.from({ length: MANY }, (_, index) => `+1555${2_000_000 + index}`);
    let id: string;

    beforeAll(async () => {
      id = await create(numbers, 'phone_number');
      // The export has about 60 MB as CSV.
      await parley.sql(
        `UPDATE campaign_recipients SET customer_name = repeat('Ada Lovelace ', 150) WHERE campaign_id = $1`,
        [id],
      );
    });

    test('has each recipient once, in order, also if a filter finds few of them', async () => {
      const read = async (query = '') => {
        const { body } = await owner.api.get(buildPath(id, query));
        return parseRows(body as string).map(({ phone_number }) => phone_number);
      };
      expect(await read()).toEqual(numbers);
      expect(await read('?search=29999')).toEqual(numbers.slice(-1));
      expect(await read('?search=0007')).toEqual(numbers.filter((number) => number.includes('0007')));
    });

    test('never holds all of them in memory', async () => {
      const server = await ServerProcess.start({
        DATABASE_URL: parley.database.url,
        JWT_SECRET,
        LOG_LEVEL: 'warn',
      });
      try {
        let bytes = 0;
        const { atRest, peak } = await memoryDuring(server.api, async () => {
          const response = await begin(server, id);
          for await (const chunk of response as AsyncIterable<Buffer>) bytes += chunk.length;
        });
        expect(bytes).toBeGreaterThan(MANY * 1_900);
        expect(peak - atRest).toBeLessThan(MAX_GROWTH_MB);
      } finally {
        await server.stop();
      }
    });

    test('shares the bound of exports with those of calls, and ends when its readers are gone', async () => {
      const slow = [await begin(parley, id), await begin(parley, id)];
      const busy = refused(503, 'The workspace has too many requests in progress', {
        error_code: 'WORKSPACE_BUSY',
        error: { details: expect.stringContaining('no export became free within 5 s') as string },
      });
      const [recipients, calls] = await Promise.all([
        outcome(owner.api.get(buildPath(id))),
        outcome(owner.api.get('/api/calls/export')),
      ]);
      expect([recipients, calls]).toEqual([busy, busy]);

      for (const response of slow) response.destroy();
      await until(async () => (await owner.api.get(buildPath(id, '?search=nobody'))).status === 200);
    });
  });
});
