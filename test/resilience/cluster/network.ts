import { TcpProxy } from '../../support/tcp-proxy';

interface Link {
  from: string;
  to: string;
  proxy: TcpProxy;
}

/** The links between the parts of a cluster, each of which goes through a proxy. */
export class Network {
  private readonly links: Link[] = [];

  /** @returns the URL at which `from` reaches `to` */
  async link(from: string, to: string, url: string): Promise<string> {
    const proxy = await TcpProxy.to(url);
    this.links.push({ from, to, proxy });
    return proxy.url;
  }

  /**
   * Nothing reaches this part or leaves it any more; its connections stay open.
   * @param others the parts from which it is cut off: all by default
   */
  cutOff(part: string, others?: string[]): void {
    for (const { proxy } of this.findLinks(part, others)) proxy.freeze({ newToo: true });
  }

  /** All that was sent meanwhile is lost, as after a broken cable: the old connections end. */
  async join(part: string, others?: string[]): Promise<void> {
    const links = this.findLinks(part, others);
    await Promise.all(links.map(({ proxy }) => proxy.cut()));
    await Promise.all(links.map(({ proxy }) => proxy.restore()));
  }

  /** The part to which this one has the most connections. */
  findBusiest(from: string, among: string[]): string {
    const links = this.links.filter((link) => link.from === from && among.includes(link.to));
    const [busiest] = links.sort((one, other) => other.proxy.connections - one.proxy.connections);
    if (!busiest) throw new Error(`${from} has no links.`);
    return busiest.to;
  }

  /** The number of connections that a part has, without those from some others. */
  countClients(part: string, except: string[]): number {
    const links = this.links.filter(({ from, to }) => to === part && !except.includes(from));
    return links.reduce((sum, { proxy }) => sum + proxy.connections, 0);
  }

  /** Nothing goes over the links from one part to another any more. */
  cutOffLink(from: string, to: string): void {
    for (const { proxy } of this.links.filter((link) => link.from === from && link.to === to)) {
      proxy.freeze({ newToo: true });
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.links.map(({ proxy }) => proxy.cut()));
  }

  private findLinks(part: string, others?: string[]): Link[] {
    const isOther = (name: string) => !others || others.includes(name);
    return this.links.filter(
      ({ from, to }) => (from === part && isOther(to)) || (to === part && isOther(from)),
    );
  }
}
