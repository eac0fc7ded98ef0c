/** RabbitMQ's own server script; null if it is not installed. */
export function findRabbitmqServer(): string | null;

/** A private RabbitMQ node, which keeps its address and its data until `dir` is removed. */
export interface RabbitmqNode {
  /** Includes the password. */
  readonly url: string;
  readonly port: number;
  /** Its name for other nodes. */
  readonly name: string;
  readonly pid: number | undefined;
  /** Resolves when the node accepts connections. */
  start(): Promise<void>;
  /** Shuts the node down. Its durable queues and their messages remain. */
  stop(): Promise<void>;
  /** Ends the node as a crash does; the default is SIGKILL. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  restart(): Promise<void>;
  /** Pauses the node: its connections stay open, but it does not answer. */
  freeze(): Promise<void>;
  thaw(): void;
  /** Runs a rabbitmqctl command on the node, and resolves with its output. */
  control(...command: string[]): Promise<string>;
  /** Runs a shell script with this node's `rabbitmqctl`, until the first command that fails. */
  shell(script: string, variables?: Record<string, string>): Promise<string>;
}

export interface RabbitmqNodeOptions {
  dir: string;
  /** Additional lines of its rabbitmq.conf. */
  settings?: string[];
  /** Its advanced.config. */
  advanced?: string;
  /** The cookie and password that the nodes of a cluster share, and the port of a running port mapper. */
  cluster?: { secret: string; mapperPort: number };
}

export function startRabbitmqNode(options: RabbitmqNodeOptions): Promise<RabbitmqNode>;
