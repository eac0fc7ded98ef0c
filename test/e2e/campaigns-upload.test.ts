import { request } from 'node:http';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent } from '../support/agents';
import { createCampaign, csv, numbersOf, recipientsFile } from '../support/campaigns';
import { type TestWorkspace, useParley } from '../support/parley';
import { until } from '../support/until';

const BOUNDARY = 'parley-test';

describe('An upload of recipients', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-campaigns-'));
  const parley = useParley({ ROLES: 'http', PARLEY_DATA: folder });
  let owner: TestWorkspace;

  beforeAll(async () => {
    owner = await parley.workspace();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const uploads = () => {
    try {
      return readdirSync(join(folder, 'uploads'));
    } catch {
      return [];
    }
  };

  const countRows = async () => {
    const [row] = await parley.sql<{ campaigns: number; recipients: number }>(
      `SELECT (SELECT count(*)::int FROM campaigns) AS campaigns,
              (SELECT count(*)::int FROM campaign_recipients) AS recipients`,
    );
    return row;
  };

  test('that is cut off in the middle leaves nothing', async () => {
    const agentId = await createAgent(owner);
    const upload = request(`${parley.url}/api/campaign`, {
      method: 'POST',
      headers: {
        'x-api-key': owner.apiKey,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'transfer-encoding': 'chunked',
      },
    });
    const failed = new Promise((resolve) => upload.on('error', resolve));
    const part = (name: string, text: string, more = '') =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${text}`;
    upload.write(`${part('campaignName', 'x')}\r\n${part('assistantId', agentId)}\r\n`);
    upload.write(part('file', ['phone_number', ...numbersOf(20_000)].join('\n'), '; filename="r.csv"'));
    await until(() => uploads().length === 1);

    upload.destroy();
    await failed;

    await until(() => uploads().length === 0);
    expect(await countRows()).toEqual({ campaigns: 0, recipients: 0 });
  });

  test('is kept no longer than its request, whether it is taken or refused', async () => {
    const agentId = await createAgent(owner);
    await createCampaign(owner.api, agentId, recipientsFile(3));
    await until(() => uploads().length === 0);

    await expect(createCampaign(owner.api, agentId, csv('phone\n1\n'))).rejects.toThrow('422');

    await until(() => uploads().length === 0);
    expect(await countRows()).toEqual({ campaigns: 1, recipients: 3 });
  });

  test('may have many recipients, several at a time', async () => {
    const agentId = await createAgent(owner);

    const ids = await Promise.all(
      [1, 2, 3, 4].map(() => createCampaign(owner.api, agentId, recipientsFile(20_000))),
    );

    for (const id of ids) {
      const [row] = await parley.sql<{ count: number; last: number }>(
        `SELECT count(*)::int, max(row_number) AS last FROM campaign_recipients WHERE campaign_id = $1`,
        [id],
      );
      expect(row).toEqual({ count: 20_000, last: 20_001 });
    }
  });
});
