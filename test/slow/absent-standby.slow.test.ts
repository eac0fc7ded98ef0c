import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/platform/database/migrate';
import { createAgent } from '../support/agents';
import { csv, postForm, recipientsFile } from '../support/campaigns';
import type { Answer } from '../support/client';
import { addFile, createKnowledgeBase, fileForm, postForm as postFile } from '../support/knowledge-bases';
import { TestParley, type TestWorkspace } from '../support/parley';
import { ReplicatedPostgres } from '../support/replicated-postgres';
import { until } from '../support/until';

/** The connections of a workspace, one for each upload below that is not refused. */
const CONNECTIONS = 4;

describe('While the only synchronous standby is away', () => {
  let folder: string;
  let postgres: ReplicatedPostgres;
  let parley: TestParley;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-standby-'));
    postgres = await ReplicatedPostgres.start(folder);
    await migrate({ DATABASE_URL: postgres.url });
    parley = await TestParley.start({
      DATABASE_URL: postgres.url,
      DATABASE_POOL_SIZE: '20',
      WORKSPACE_CONNECTIONS: `${CONNECTIONS}`,
    });
    workspace = await parley.workspace();
  });
  afterAll(async () => {
    await parley.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true });
  });

  test('uploads are answered, hold only the connections of their workspace, and end when it is back', async () => {
    const { api } = workspace;
    const other = await parley.workspace();
    const agentId = await createAgent(workspace);
    const id = await createKnowledgeBase(workspace);
    const createCampaign = () =>
      postForm(api, [
        ...Object.entries({ campaignName: 'Test', assistantId: agentId }),
        ['file', recipientsFile(10)],
      ]);
    const listNumber = () =>
      postForm(api, [['file', csv('phone_number\n+15552000102\n')]], '/api/do-not-call/import');
    await postgres.waitForStandby();
    await postgres.stopStandby();

    const uploads = [
      createCampaign(),
      listNumber(),
      addFile(workspace, id),
      postFile(api, fileForm({ fields: { name: 'Hours' } })),
    ];
    for (const { status, body } of await Promise.all(uploads))
      expect({ status, body }).toMatchObject({ status: 500, body: { error_code: 'OUTCOME_UNKNOWN' } });

    const refused = await listNumber();
    expect(refused).toMatchObject({ status: 503, body: { error_code: 'WORKSPACE_BUSY' } });
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect((await other.api.get('/api/agents')).status).toBe(200);

    await postgres.restartStandby();
    const succeed = (send: () => Promise<Answer>) => until(async () => (await send()).status < 300);
    await succeed(() => addFile(workspace, id));
    const campaigns = await api.get('/api/campaign');
    expect(campaigns.body.data.map((campaign: { campaignName: string }) => campaign.campaignName)).toEqual([
      'Test',
    ]);
    const numbers = await api.get('/api/do-not-call');
    expect(numbers.body.data).toMatchObject([{ phone_number: '+15552000102' }]);
  });
});
