import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** The allocated addresses. An address that embeds an IPv4 address is outside of them, or has a range of its own. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
/** Azure's WireServer has secrets of a virtual machine at a public address. */
const AZURE_WIRE_SERVER = '168.63.129.16';

/** Whether an IP address belongs to the public internet and to another machine, as the server has it for webhooks. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.toString() === AZURE_WIRE_SERVER || parsed.range() !== 'unicast') return false;
  if (parsed.kind() === 'ipv6' && !parsed.match(GLOBAL_IPV6)) return false;
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return !own.some((other) => ipaddr.process(other.address).toString() === parsed.toString());
}
