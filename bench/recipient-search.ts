import './compiled-product';
import { readFileSync } from 'node:fs';
import { migrate } from '../src/platform/database/migrate';
import { createAgent } from '../test/support/agents';
import { createCampaign, csv } from '../test/support/campaigns';
import { createDatabase } from '../test/support/database';
import { TestParley, type TestWorkspace } from '../test/support/parley';

/**
 * Measures searches over HTTP in the recipients of a large campaign.
 *
 * TEST_DATABASE_URL=… npm run bench:recipient-search [recipients]
 */
const RECIPIENTS = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 20;

/**
 * The first names by frequency: a name occurs in as many recipients of a thousand as its place says; the last one
 * has the others.
 */
const FIRST_NAMES = ['Quentin', 'Philippa', 'Wolfgang', 'Maria'];
const PER_THOUSAND = [1, 5, 10, 984];

const firstName = (index: number) => {
  let place = (index * 7) % 1_000;
  return FIRST_NAMES.find((_, at) => (place -= PER_THOUSAND[at] as number) < 0);
};

/** A name of seven letters, in no order. */
const lastName = (index: number) =>
  ((index * 2_654_435_761) % 8_031_810_176)
    .toString(26)
    .replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] as string);

/** 7,919 is prime, so each number occurs once. */
const createNumber = (index: number) => `+1${2_020_000_000 + ((index * 7_919) % 5_000_000)}`;

const SEARCHES: Record<string, string> = {
  'a whole number': `search=${encodeURIComponent(createNumber(4_711))}`,
  'four digits': 'search=4711',
  'a last name': `search=${lastName(4_711)}`,
  'a first name of 0.1 %': 'search=quentin',
  'a first name of 0.5 %': 'search=philippa',
  'a first name of 1 %': 'search=wolfgang',
  'a first name of 98 %': 'search=maria',
  'two letters': 'search=qz',
  'two letters of 2 %': 'search=an',
  'two letters of 99 %': 'search=ma',
  'two digits': 'search=47',
  'two digits of all numbers': 'search=20',
  'one letter': 'search=a',
  'one letter of 30 %': 'search=g',
  'one digit': 'search=7',
  'one letter, page 90,000': 'search=a&page=90000',
  'two letters of 99 %, page 50,000': 'search=ma&page=50000',
  'three digits of all numbers': 'search=202',
  'the beginning of all numbers': 'search=%2B1202',
  'no recipient': 'search=no+such+name',
  'four digits, page 20': 'search=4711&page=20',
  'a first name of 1 %, page 900': 'search=wolfgang&page=900',
  'a first name of 98 %, page 90,000': 'search=maria&page=90000',
  'four digits, pending': 'search=4711&status=pending',
  'a first name of 0.5 %, pending': 'search=philippa&status=pending',
  'a first name of 98 %, pending': 'search=maria&status=pending',
  'the same, page 50,000': 'search=maria&status=pending&page=50000',
  'a first name of 98 %, skipped': 'search=maria&status=skipped',
  'a first name of 98 %, reached': 'search=maria&result=reached',
  'one letter, pending': 'search=a&status=pending',
  'one letter, disconnected': 'search=a&status=disconnected',
};

/** Reads the CPU time that the database's connections have used, in ms. Postgres must run on this machine. */
async function readCpuTime(parley: TestParley): Promise<number> {
  const connections = await parley.sql<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  const times = connections.map(({ pid }) =>
    Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]),
  );
  return times.reduce((sum, time) => sum + time, 0) / 1_000_000;
}

async function measure(parley: TestParley, workspace: TestWorkspace, id: string, query: string) {
  const times: number[] = [];
  let total = 0;
  const cpuBefore = await readCpuTime(parley);
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    const answer = await workspace.api.get(`/api/campaign/${id}/recipients?${query}`);
    times.push(performance.now() - startedAt);
    if (answer.status !== 200) throw new Error(`A search was answered with ${answer.status}.`);
    total = (answer.body as { pagination: { total: number } }).pagination.total;
  }
  const cpu = ((await readCpuTime(parley)) - cpuBefore) / ROUNDS;
  return { total, cpu, times: times.sort((a, b) => a - b) };
}

async function main() {
  const database = await createDatabase({ empty: true });
  await migrate({ DATABASE_URL: database.url });
  const parley = await TestParley.start({ ROLES: 'http' }, database);
  try {
    const workspace = await parley.workspace();
    const rows = Array.from(
      { length: RECIPIENTS },
      (_, index) => `${createNumber(index)},${firstName(index)} ${lastName(index)}`,
    );
    const file = csv(['phone_number,customer_name', ...rows].join('\n'));
    const startedAt = performance.now();
    const id = await createCampaign(workspace.api, await createAgent(workspace), file);
    console.log(
      `${RECIPIENTS} recipients, stored in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`,
    );
    const [sizes] = await parley.sql(
      `SELECT pg_size_pretty(pg_total_relation_size('campaign_recipients')) AS recipients,
              pg_size_pretty(pg_total_relation_size('recipient_search_blocks')) AS search`,
    );
    console.log(sizes);
    await parley.sql('VACUUM ANALYZE');
    console.log(
      `${ROUNDS} searches each; total, CPU time of Postgres, then fastest, median and slowest in ms`,
    );
    for (const [name, query] of Object.entries(SEARCHES)) {
      const { total, cpu, times } = await measure(parley, workspace, id, query);
      const shown = [cpu, times[0], times[ROUNDS / 2], times.at(-1)].map((time) =>
        time?.toFixed(1).padStart(8),
      );
      console.log(`${name.padEnd(32)} ${String(total).padStart(8)} ${shown.join('')}`);
    }
  } finally {
    await parley.stop();
  }
}

void main();
