import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Config } from '../../config';

/** The allocated addresses. Every address that embeds an IPv4 address (mapped, NAT64, 6to4) is outside of them. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Azure's WireServer has the certificates and settings of a virtual machine, and a public address
 * (learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16). Other clouds use private ranges.
 */
const AZURE_WIRE_SERVER = '168.63.129.16';

/**
 * Whether an address belongs to this machine, even if it is public: services on it may trust local connections.
 */
export function isOwnAddress(address: string, interfaces = networkInterfaces()): boolean {
  const wanted = ipaddr.process(address).toString();
  return Object.values(interfaces).some((addresses = []) =>
    addresses.some((own) => ipaddr.process(own.address).toString() === wanted),
  );
}

/** Whether an IP address, as a socket or a resolver writes it, belongs to the public internet and to another machine. */
export function isPublicAddress(address: string): boolean {
  // Only local addresses have a zone (fe80::1%eth0).
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.toString() === AZURE_WIRE_SERVER) return false;
  const isPublic = parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6));
  return isPublic && !isOwnAddress(address);
}

/** The addresses that outgoing requests may connect to. */
export interface AddressRule {
  (address: string): boolean;
  /** Names are resolved by the operating system, as on a development machine, instead of by the name servers. */
  usesSystemNames?: boolean;
}

export const anyAddress: AddressRule = Object.assign(() => true, { usesSystemNames: true });

export function createAddressRule({
  ALLOW_PRIVATE_ADDRESSES,
  DENIED_NETWORKS,
}: Pick<Config, 'ALLOW_PRIVATE_ADDRESSES' | 'DENIED_NETWORKS'>): AddressRule {
  const allowed: AddressRule = ALLOW_PRIVATE_ADDRESSES ? anyAddress : isPublicAddress;
  if (DENIED_NETWORKS.length === 0) return allowed;
  const { usesSystemNames } = allowed;
  return Object.assign(excludeNetworks(DENIED_NETWORKS, allowed), { usesSystemNames });
}

/**
 * Allowed addresses outside of these networks.
 * @param denied networks such as `203.0.113.0/24`, and addresses
 * @throws Error if one of them is neither
 */
export function excludeNetworks(
  denied: string[],
  isAllowed: (address: string) => boolean,
): (address: string) => boolean {
  const networks = denied.map(parseNetwork);
  return (address) => {
    if (isIP(address) === 0 || !isAllowed(address)) return false;
    const parsed = ipaddr.process(address);
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
