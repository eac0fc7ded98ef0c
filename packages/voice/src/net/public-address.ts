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

/**
 * Public addresses outside of these networks, as the server's own DENIED_NETWORKS counts.
 * @param denied networks such as `203.0.113.0/24`, and addresses
 * @throws Error if one of them is neither
 */
export function createAddressRule(denied: string[]): (address: string) => boolean {
  const networks = denied.map(parseNetwork);
  return (address) => {
    if (!isPublicAddress(address)) return false;
    const parsed = ipaddr.parse(address);
    return !networks.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
    );
  };
}

function parseNetwork(text: string): [ipaddr.IPv4 | ipaddr.IPv6, bits: number] {
  const kind = isIP(text.split('/')[0] ?? '');
  if (kind === 0 || text.includes('%')) throw new Error(`${text} is no network`);
  const [network, bits] = ipaddr.parseCIDR(text.includes('/') ? text : `${text}/${kind === 4 ? 32 : 128}`);
  const isMapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [network.toIPv4Address(), bits - 96] : [network, bits];
}
