import autocannon from 'autocannon';
import { migrate } from '../src/database/migrate';
import { createAgent } from '../test/support/agents';
import { createDatabase } from '../test/support/database';
import { TestParley } from '../test/support/parley';

/**
 * Measures how many calls a server accepts per second. For comparison, each round also measures HTTP alone (an answer
 * without work) and durability alone (an INSERT of one row, without HTTP).
 *
 * TEST_DATABASE_URL=… [TEST_RABBITMQ_URL=…] npm run bench
 */
const CONNECTIONS = 64;
const SECONDS = 5;
const ROUNDS = 3;

interface Rate {
  perSecond: number;
  p50: number;
  p99: number;
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function requests(options: autocannon.Options): Promise<Rate> {
  const result = await autocannon({ connections: CONNECTIONS, duration: SECONDS, ...options });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${result.non2xx + result.errors} requests were refused`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

/** Inserts single rows concurrently, one after the other on each connection. */
async function inserts(parley: TestParley): Promise<Rate> {
  const until = Date.now() + SECONDS * 1_000;
  let count = 0;
  const insert = async () => {
    while (Date.now() < until) {
      await parley.sql(`INSERT INTO bench_rows (body) VALUES ($1)`, ['x'.repeat(1_000)]);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, insert));
  return { perSecond: count / SECONDS, p50: NaN, p99: NaN };
}

async function main() {
  globalThis.BROKER = process.env.TEST_RABBITMQ_URL ? 'rabbitmq' : 'in-process';
  const database = await createDatabase({ empty: true });
  await migrate({ DATABASE_URL: database.url });
  const parley = await TestParley.start(
    { CALL_TTL_SECONDS: '3600', WORKSPACE_CONCURRENCY: '1000000' },
    database,
  );
  const workspace = await parley.workspace({ credits: 1_000_000_000 });
  const agentId = await createAgent(workspace);
  await parley.sql('CREATE TABLE bench_rows (id bigint GENERATED ALWAYS AS IDENTITY, body text)');
  const call = {
    method: 'POST',
    url: `${parley.url}/api/agents/${agentId}/calls`,
    headers: { 'content-type': 'application/json', 'x-api-key': workspace.apiKey },
    body: JSON.stringify({ to_number: '+15551234567', dynamic_variables: { name: 'Ada' } }),
  } as const;

  const rounds: Record<'http' | 'insert' | 'calls', Rate>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      http: await requests({ url: `${parley.url}/health/live` }),
      insert: await inserts(parley),
      calls: await requests(call),
    });
  }
  const rate = (name: 'http' | 'insert' | 'calls') => median(rounds.map((round) => round[name].perSecond));
  const calls = rate('calls');
  console.log(`broker                 ${globalThis.BROKER}`);
  console.log(`calls accepted         ${Math.round(calls)} /s`);
  console.log(
    `  latency p50, p99     ${median(rounds.map((r) => r.calls.p50))} ms, ${median(rounds.map((r) => r.calls.p99))} ms`,
  );
  console.log(
    `answers without work   ${Math.round(rate('http'))} /s, calls are ${(calls / rate('http')).toFixed(2)} of it`,
  );
  console.log(
    `one-row inserts        ${Math.round(rate('insert'))} /s, calls are ${(calls / rate('insert')).toFixed(2)} of it`,
  );
  await parley.stop();
}

void main();
