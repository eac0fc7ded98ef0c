/** RabbitMQ's own server script, or null where the machine has none. */
export function findRabbitmqServer(): string | null;

/** A private RabbitMQ node; it keeps its address and its data until `dir` is removed. */
export interface RabbitmqNode {
  /** With its password. */
  readonly url: string;
  readonly port: number;
  readonly pid: number | undefined;
  /** Resolves when it takes connections. */
  start(): Promise<void>;
  /** Ends it in order; durable queues and their messages stay. */
  stop(): Promise<void>;
  /** Ends it as a crash would; SIGKILL unless told otherwise. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  restart(): Promise<void>;
  /** Stops its execution: connections stay open and nothing answers. */
  freeze(): void;
  thaw(): void;
  /** Runs a command of rabbitmqctl on it, and resolves with what that printed. */
  control(...command: string[]): Promise<string>;
  /** Runs a shell script whose `rabbitmqctl` is that of this node; it ends at the first failure. */
  shell(script: string, variables?: Record<string, string>): Promise<string>;
}

/** @param options.settings further lines of its rabbitmq.conf. */
export function startRabbitmqNode(options: { dir: string; settings?: string[] }): Promise<RabbitmqNode>;
