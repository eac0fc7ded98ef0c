import type { topologyNames } from '../../../src/platform/messaging/topology';
import type { DialLog } from './dial-log';

/** The servers that a suite has started, as the load and the checks use them. */
export interface Installation {
  /** Reads and changes the database directly. */
  rows: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;
  /** The numbers that runtimes have dialled. */
  readonly dialLog: DialLog;
  /** The calls whose ends runtimes have kept to report them. */
  readonly endLog: DialLog;
  readonly topology: ReturnType<typeof topologyNames>;
  /** A node of RabbitMQ that is running. */
  readonly brokerUrl: string;
  /** All nodes of RabbitMQ. */
  readonly brokerUrls: string[];
  /** The queue from which the runtimes take calls. */
  readonly workersQueue: string;
  /** The worker ids of the runtimes that are running. */
  readonly workerIds: string[];
  /** The phone numbers that receive calls, which are greater than every number that is dialled. */
  readonly agentNumbers: string[];
}
