import { createAgent } from '../support/agents';
import { createCampaign, csv, createNumbers } from '../support/campaigns';
import { createDatabase, type TestDatabase } from '../support/database';
import { memoryDuring } from '../support/memory';
import { JWT_SECRET } from '../support/parley';
import { ServerProcess } from '../support/server-process';

const RECIPIENTS = 8_000;

/** The length is close to the maximum of a variable: 30 MB for all rows. */
const NOTE = 'x'.repeat(3_990);

/** Importing uses 40 to 60 MB. With all rows in memory it used 160 MB and more. */
const MAX_GROWTH_MB = 100;

describe('A server that imports many recipients', () => {
  let database: TestDatabase;
  let server: ServerProcess | undefined;

  beforeAll(async () => {
    database = await createDatabase();
    server = await ServerProcess.start({ DATABASE_URL: database.url, JWT_SECRET, LOG_LEVEL: 'warn' });
  });
  afterAll(async () => {
    await server?.stop();
    await database.drop();
  });

  test('never holds all of them in memory', async () => {
    const api = (server as ServerProcess).api.with({ 'x-api-key': server?.demo?.apiKey ?? '' });
    const agentId = await createAgent({ api });
    const rows = createNumbers(RECIPIENTS).map((number) => `${number},${NOTE}`);
    const file = csv(['phone_number,note', ...rows].join('\n'));
    const later = { isScheduled: 'true', scheduleTime: '2100-01-01T00:00:00Z' };

    const { atRest, peak } = await memoryDuring(api, () => createCampaign(api, agentId, file, later));

    expect(peak - atRest).toBeLessThan(MAX_GROWTH_MB);
  });
});
