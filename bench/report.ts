import { cpus, totalmem } from 'node:os';
import { Client } from 'pg';
import type { Measured } from './measure';
import type { Services } from './services';

const format = (value: number) =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });

const joinValues = (values: number[]) => values.map(format).join(', ');

export const median = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** The measurements of one round, with the name of what was measured. */
interface NamedRound {
  name: string;
}

const getName = ([round]: NamedRound[]) => round?.name.padEnd(28);

/** Prints a figure: the ratio of two measurements in each round and its median, and the values of both. */
export function printRatio<Round extends NamedRound>(
  figure: string,
  unit: string,
  [over, under]: [Round[], Round[]],
  getValue: (round: Round) => number,
): void {
  const divisors = under.map(getValue);
  const ratios = over.map((round, index) => getValue(round) / (divisors[index] ?? NaN));
  console.log(`  ${figure}: ${format(median(ratios))} (rounds: ${joinValues(ratios)})`);
  for (const rounds of [over, under]) printValues(unit, rounds, getValue);
}

/** Prints the values of all rounds and their median. */
export function printValues<Round extends NamedRound>(
  unit: string,
  rounds: Round[],
  getValue: (round: Round) => number,
): void {
  const values = rounds.map(getValue);
  console.log(
    `      ${getName(rounds)} ${format(median(values)).padStart(8)} ${unit} (rounds: ${joinValues(values)})`,
  );
}

/** The CPU time of all processes for a call. */
export const cpuSum = ({ cpu }: Measured) => Object.values(cpu).reduce((sum, time) => sum + time, 0);

/** Prints CPU time and write-ahead log of a call. */
export function printCost(rounds: Measured[]): void {
  const cpu = (['server', 'Postgres', 'RabbitMQ'] as const).map(
    (part) => `${part} ${format(median(rounds.map((round) => round.cpu[part])))}`,
  );
  const wal = format(median(rounds.map((round) => round.wal)));
  console.log(`      ${getName(rounds)} ${cpu.join(', ')} µs; ${wal} bytes of write-ahead log`);
}

/** Prints the machine and the versions of the services. */
export async function printMachine({ rabbitmqVersion }: Services): Promise<void> {
  const client = new Client(process.env.TEST_DATABASE_URL);
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  await client.end();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const [cpu] = cpus();
  console.log(
    `${cpus().length} × ${cpu?.model.trim()}, ${memory} GB; Node.js ${process.versions.node}, ` +
      `Postgres ${rows[0]?.server_version}, RabbitMQ ${rabbitmqVersion}`,
  );
}

/** Prints the bytes of a call in each table that grew. */
export function printTables({ name, tables }: NamedRound & { tables: Map<string, number> }): void {
  const grown = [...tables].filter(([, bytes]) => bytes >= 1).sort(([, a], [, b]) => b - a);
  const list = grown.map(([table, bytes]) => `${table} ${format(bytes)}`);
  console.log(`      ${name.padEnd(28)} ${list.join(', ')}`);
}
