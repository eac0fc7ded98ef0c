import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RabbitmqNode, startRabbitmqNode } from '../../scripts/rabbitmq-node.cjs';
import { until } from '../support/until';
import type { Network } from './network';
import { PortMapper } from './port-mapper';

const PAGE = join(__dirname, '..', '..', 'docs', 'cluster.md');

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
    await cluster.isWhole(first);
    return cluster;
  }

  /** Waits until this node sees all others. */
  async isWhole(node: RabbitmqNode): Promise<void> {
    const running = async () => {
      const status = JSON.parse(await node.control('cluster_status', '--formatter', 'json')) as {
        running_nodes: string[];
      };
      return status.running_nodes.length === this.nodes.length;
    };
    await until(() => running().catch(() => false), 90_000);
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    for (const mapper of this.mappers) mapper.stop();
  }
}
