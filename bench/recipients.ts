import { createAgent } from '../test/support/agents';
import { createCampaign, csv } from '../test/support/campaigns';
import { createDatabase } from '../test/support/database';
import { memoryDuring } from '../test/support/memory';
import { ServerProcess } from '../test/support/server-process';

/**
 * Measures how long one request takes to load a campaign's recipients, and the memory of the server process at rest and
 * during the request.
 *
 * TEST_DATABASE_URL=… npm run bench:recipients [rows]
 */
const ROWS = Number(process.argv[2] ?? 1_000_000);

/** Rows with different possible phone numbers. */
const row = (index: number) => `+1${2_020_000_000 + index * 7},Recipient ${index}`;

async function main() {
  const rows = Array.from({ length: ROWS }, (_, index) => row(index));
  const file = csv(['phone_number,customer_name', ...rows].join('\n'));
  const database = await createDatabase({ empty: true });
  let server: ServerProcess | undefined;
  try {
    server = await ServerProcess.start({
      DATABASE_URL: database.url,
      JWT_SECRET: 'a secret of thirty-two bytes or more',
      LOG_LEVEL: 'warn',
    });
    const api = server.api.with({ 'x-api-key': server.demo?.apiKey ?? '' });
    const agentId = await createAgent({ api });
    const later = { isScheduled: 'true', scheduleTime: '2100-01-01T00:00:00Z' };
    const startedAt = performance.now();
    const { atRest, peak } = await memoryDuring(api, () => createCampaign(api, agentId, file, later));
    console.log(`recipients      ${ROWS}, ${Math.round(file.size / 1024 / 1024)} MB`);
    console.log(`loaded in       ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    console.log(`memory at rest  ${Math.round(atRest)} MB`);
    console.log(`memory at most  ${Math.round(peak)} MB`);
  } finally {
    await server?.stop();
    await database.drop();
  }
}

void main();
