import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RabbitmqNode, startRabbitmqNode } from '../../run/rabbitmq-node.cjs';
import { until } from '../../support/until';
import type { Network } from './network';
import { PortMapper } from './port-mapper';

const PAGE = join(__dirname, '..', '..', '..', 'docs', 'cluster.md');

const REJOIN_TIMEOUT_MS = 90_000;

/** The settings that docs/cluster.md recommends, from its first block of this language. */
function readSettings(language: string): string {
  const block = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(readFileSync(PAGE, 'utf8'));
  if (!block?.[1]) throw new Error(`docs/cluster.md has no block of ${language}.`);
  return block[1];
}

/** The name of a node without its host. */
const shortName = (node: RabbitmqNode) => node.name.split('@')[0] as string;

/** A cluster of RabbitMQ, in which each node reaches the others through proxies. */
export class RabbitmqCluster {
  private constructor(
    readonly nodes: RabbitmqNode[],
    private readonly mappers: PortMapper[],
  ) {}

  /** @param names of the nodes in the network */
  static async start(folder: string, network: Network, names: string[]): Promise<RabbitmqCluster> {
    const mappers = await Promise.all(names.map(() => PortMapper.start()));
    const secret = randomBytes(24).toString('hex');
    const nodes = await Promise.all(
      mappers.map(({ port }, index) =>
        startRabbitmqNode({
          dir: join(folder, names[index] as string),
          settings: readSettings('ini').trim().split('\n'),
          advanced: readSettings('erlang'),
          cluster: { secret, mapperPort: port },
        }),
      ),
    );
    const cluster = new RabbitmqCluster(nodes, mappers);
    for (const [from, mapper] of mappers.entries()) {
      for (const [to, node] of nodes.entries()) {
        if (from === to) continue;
        const port = (mappers[to] as PortMapper).find(shortName(node));
        const url = await network.link(names[from] as string, names[to] as string, `tcp://127.0.0.1:${port}`);
        mapper.add(shortName(node), Number(new URL(url).port));
      }
    }
    const [first, ...others] = nodes as [RabbitmqNode, ...RabbitmqNode[]];
    for (const node of others) {
      await node.shell(
        `rabbitmqctl -q stop_app; rabbitmqctl -q join_cluster ${first.name}; rabbitmqctl -q start_app`,
      );
    }
    await cluster.isWhole();
    return cluster;
  }

  /** Waits until each node sees all others, and every queue survives the loss of any of them. */
  async isWhole(): Promise<void> {
    const isWhole = async (node: RabbitmqNode) => {
      const seesAll = async () => {
        const status = JSON.parse(await node.control('cluster_status', '--formatter', 'json')) as {
          running_nodes: string[];
          partitions: object;
        };
        const { length } = status.running_nodes;
        return length === this.nodes.length && Object.keys(status.partitions).length === 0;
      };
      await until(() => seesAll().catch(() => false), REJOIN_TIMEOUT_MS);
      const isSpare = () =>
        node.shell('rabbitmq-upgrade -q await_online_quorum_plus_one -t 10').then(() => true);
      await until(() => isSpare().catch(() => false), REJOIN_TIMEOUT_MS).catch(async () => {
        const queues = await node.control('list_queues', 'name', 'leader', 'members', 'online');
        throw new Error(
          `Node ${node.name} is not spare after ${REJOIN_TIMEOUT_MS} ms. Its queues:\n${queues}`,
        );
      });
    };
    await Promise.all(this.nodes.map(isWhole));
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    for (const mapper of this.mappers) mapper.stop();
  }
}
