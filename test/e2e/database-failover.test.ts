import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/platform/database/migrate';
import { createAgent } from '../support/agents';
import { TestParley } from '../support/parley';
import { ReplicatedPostgres } from '../support/replicated-postgres';
import { until } from '../support/until';

describe('A server whose DATABASE_URL has a primary and its standby', () => {
  let folder: string;
  let postgres: ReplicatedPostgres;
  let parley: TestParley;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-failover-'));
    postgres = await ReplicatedPostgres.start(folder);
    await migrate({ DATABASE_URL: postgres.url });
    parley = await TestParley.start({ DATABASE_URL: postgres.url });
  });
  afterEach(async () => {
    await parley.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true });
  });

  test.each([
    { what: 'is killed', fail: () => postgres.kill() },
    { what: 'answers no more', fail: () => Promise.resolve(postgres.freeze()) },
  ])('goes on with the promoted standby after the primary $what', async ({ fail }) => {
    const workspace = await parley.workspace();
    const before = await createAgent(workspace, { name: 'Before' });
    await postgres.followed();

    await fail();
    const refused = await workspace.api.post('/api/agents', { type: 'outbound', name: 'Meanwhile' });
    expect([500, 503]).toContain(refused.status);
    expect(refused.body).toMatchObject({
      error_code: refused.status === 503 ? 'DATABASE_UNAVAILABLE' : 'OUTCOME_UNKNOWN',
    });
    await postgres.promote();

    await until(
      async () =>
        (await workspace.api.post('/api/agents', { type: 'outbound', name: 'After' })).status === 200,
    );
    expect((await workspace.api.get(`/api/agents/${before}`)).status).toBe(200);
    await until(async () => (await parley.api.get('/health/ready')).status === 200);
  });
});
