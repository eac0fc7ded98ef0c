import './compiled-product';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '../src/platform/database/migrate';
import { createAgent } from '../test/support/agents';
import { createCampaign } from '../test/support/campaigns';
import { createDatabase, type TestDatabase } from '../test/support/database';
import { ServerProcess } from '../test/support/server-process';
import { type Memory, measureMemory } from './process-memory';
import { median } from './report';

/**
 * Measures how long one request takes to load a campaign's recipients, and the memory of the server with its children.
 * Each round also measures a bare script that does the same without HTTP and checks: parse → COPY → INSERT.
 *
 * TEST_DATABASE_URL=… npm run bench:recipients [-- rounds [rows …]]
 */
const [ROUNDS = 3, ...SIZES] = process.argv.slice(2).map(Number);
const ROWS = SIZES.length > 0 ? SIZES : [100_000, 1_000_000];

interface Measured extends Memory {
  seconds: number;
}

/** Rows with different possible phone numbers, in no order. */
async function writeFile(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('phone_number,customer_name\n');
  for (let index = 0; index < rows; index += 1) {
    // 7,919 is prime, so each number occurs once.
    const number = 2_020_000_000 + ((index * 7_919) % 5_000_000);
    if (!file.write(`+1${number},Recipient ${index}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

async function inDatabase<Result>(work: (database: TestDatabase) => Promise<Result>): Promise<Result> {
  const database = await createDatabase({ empty: true });
  try {
    await migrate({ DATABASE_URL: database.url });
    return await work(database);
  } finally {
    await database.drop();
  }
}

async function sql(url: string, ...statements: string[]): Promise<void> {
  const client = new Client(url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function timed(pid: number, work: () => Promise<unknown>): Promise<Measured> {
  const startedAt = performance.now();
  let seconds = NaN;
  const memory = await measureMemory(pid, async () => {
    await work();
    seconds = (performance.now() - startedAt) / 1_000;
  });
  return { seconds, ...memory };
}

/** Loads a file into a table with the columns and indexes of Parley's table. */
const reference = (file: string) =>
  inDatabase(async ({ url }) => {
    await sql(url, 'CREATE TABLE bare_recipients (LIKE campaign_recipients INCLUDING ALL)', 'CHECKPOINT');
    const child = fork(join(__dirname, 'recipients-reference.cjs'), { execArgv: [] });
    await once(child, 'message');
    return timed(child.pid as number, async () => {
      child.send([url, '01900000-0000-7000-8000-000000000000', file]);
      const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown];
      if (message !== 'done') throw new Error(`The reference ended with ${String(message)}.`);
    });
  });

const parley = (file: string) =>
  inDatabase(async ({ url }) => {
    const server = await ServerProcess.start({
      DATABASE_URL: url,
      JWT_SECRET: 'a secret of thirty-two bytes or more',
      LOG_LEVEL: 'warn',
    });
    try {
      const api = server.api.with({ 'x-api-key': server.demo?.apiKey ?? '' });
      const agentId = await createAgent({ api });
      const later = { isScheduled: 'true', scheduleTime: '2100-01-01T00:00:00Z' };
      const blob = await openAsBlob(file, { type: 'text/csv' });
      await sql(url, 'CHECKPOINT');
      return await timed(server.pid, () => createCampaign(api, agentId, blob, later));
    } finally {
      await server.stop();
    }
  });

const shown = ({ seconds, atRest, peak }: Measured) =>
  `${seconds.toFixed(1)} s, ${atRest.toFixed()} MB at rest, ${peak.toFixed()} MB at most`;

interface Result {
  rows: number;
  file: string;
  bare: Measured[];
  parley: Measured[];
}

function printSpeed({ rows, bare, parley }: Result): void {
  const [reference, own] = [bare, parley].map((all) => median(all.map(({ seconds }) => seconds))) as [
    number,
    number,
  ];
  console.log(
    `speed, ${rows} rows: Parley ÷ bare = ${(reference / own).toFixed(2)}`,
    `(bare ${reference.toFixed(1)} s, Parley ${own.toFixed(1)} s; medians of ${bare.length} rounds)`,
  );
}

function printMemory(side: 'bare' | 'parley', many: Result, few: Result): void {
  const ratio = (measure: (memory: Memory) => number) => {
    const [ofMany, ofFew] = [many, few].map((result) => median(result[side].map(measure))) as [
      number,
      number,
    ];
    return `${(ofMany / ofFew).toFixed(2)} (${ofMany.toFixed()} and ${ofFew.toFixed()} MB)`;
  };
  console.log(
    `memory, ${side}, ${many.rows} ÷ ${few.rows} rows:`,
    `${ratio(({ peak }) => peak)} in all, ${ratio(({ atRest, peak }) => peak - atRest)} above rest`,
  );
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const results = ROWS.map<Result>((rows) => ({
    rows,
    file: join(folder, `${rows}.csv`),
    bare: [],
    parley: [],
  }));
  try {
    for (const { file, rows } of results) await writeFile(file, rows);
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const { rows, file, ...sides } of results) {
        const [bare, own] = [await reference(file), await parley(file)];
        sides.bare.push(bare);
        sides.parley.push(own);
        console.log(`round ${round}, ${rows} rows: bare ${shown(bare)}; Parley ${shown(own)}`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  for (const result of results) printSpeed(result);
  const [few, many] = [results.at(0), results.at(-1)] as [Result, Result];
  printMemory('bare', many, few);
  printMemory('parley', many, few);
}

void main();
