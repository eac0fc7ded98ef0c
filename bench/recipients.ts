import { createAgent } from '../test/support/agents';
import { createCampaign, csv } from '../test/support/campaigns';
import { createDatabase } from '../test/support/database';
import { memoryDuring } from '../test/support/memory';
import { ServerProcess } from '../test/support/server-process';

/**
 * How long a campaign's recipients take to load, in one request to a server process, and what memory that process
 * needs for it beside what it needs at rest.
 *
 * TEST_DATABASE_URL=… npm run bench:recipients [rows]
 */
const ROWS = Number(process.argv[2] ?? 1_000_000);

/** Possible numbers, each of them once. */
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
    const began = performance.now();
    const { atRest, peak } = await memoryDuring(api, () => createCampaign(api, agentId, file, later));
    console.log(`recipients      ${ROWS}, ${Math.round(file.size / 1024 / 1024)} MB`);
    console.log(`loaded in       ${((performance.now() - began) / 1_000).toFixed(1)} s`);
    console.log(`memory at rest  ${Math.round(atRest)} MB`);
    console.log(`memory at most  ${Math.round(peak)} MB`);
  } finally {
    await server?.stop();
    await database.drop();
  }
}

void main();
