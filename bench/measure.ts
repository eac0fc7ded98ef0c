import { setTimeout as pause } from 'node:timers/promises';
import type { MeasuredServer } from './measured-server';
import { cpuSeconds, cpuSecondsOfFamily } from './processes';
import type { Services } from './services';

/** Work after the answers, such as marking dispatched calls, belongs to the round. */
const TAIL_MS = 400;

/** The measurements of one round of one server. */
export interface Measured {
  /** The name of the server. */
  name: string;
  calls: number;
  perSecond: number;
  /** Microseconds of CPU time for a call. */
  cpu: { server: number; Postgres: number; RabbitMQ: number };
  /** Bytes of write-ahead log for a call. */
  wal: number;
}

/** @param work returns how many calls it made, and in which time */
export async function measure<Work extends { calls: number; seconds: number }>(
  services: Services,
  server: MeasuredServer,
  work: () => Promise<Work>,
): Promise<Measured & Work> {
  const before = await used(services, server);
  const done = await work();
  await pause(TAIL_MS);
  const after = await used(services, server);
  const perCall = (name: keyof typeof before) => (after[name] - before[name]) / done.calls;
  const microseconds = (name: keyof typeof before) => perCall(name) * 1_000_000;
  return {
    ...done,
    name: server.name,
    perSecond: done.calls / done.seconds,
    cpu: {
      server: microseconds('server'),
      Postgres: microseconds('postgres'),
      RabbitMQ: microseconds('rabbitmq'),
    },
    wal: perCall('wal'),
  };
}

async function used({ postgresPid, rabbitmqPid }: Services, { child, sql }: MeasuredServer) {
  const { rows } = await sql.query<{ wal: string }>(`SELECT pg_current_wal_insert_lsn() - '0/0' AS wal`);
  return {
    server: cpuSecondsOfFamily(child.pid),
    postgres: cpuSecondsOfFamily(postgresPid),
    rabbitmq: cpuSeconds(rabbitmqPid),
    wal: Number(rows[0]?.wal),
  };
}
