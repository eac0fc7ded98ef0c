import ipaddr from 'ipaddr.js';
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Agent, buildConnector } from 'undici';
import type { Config } from '../config';
import { addressesOf } from './public-names';

/** A link leads to an address that outsiders have no business with. */
export class PrivateAddressError extends Error {
  constructor() {
    super('it leads to a private address');
  }
}

/** The addresses that the internet hands out; whatever wraps an IPv4 address (mapped, NAT64, 6to4) lies outside. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Azure's WireServer, which hands out a virtual machine's certificates and settings: in a public range, but the machine's
 * own host answers (learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16). The other clouds have
 * theirs in ranges that are not public.
 */
const AZURE_HOST = '168.63.129.16';

/** Whether it is an address of this machine, in a public range too: what listens there may trust local connections. */
export function isOwnAddress(address: string, interfaces = networkInterfaces()): boolean {
  const wanted = ipaddr.process(address).toString();
  return Object.values(interfaces).some((addresses = []) =>
    addresses.some((own) => ipaddr.process(own.address).toString() === wanted),
  );
}

/** Whether an IP address, as a socket or a resolver writes it, is one of the public internet, and of another machine. */
export function isPublicAddress(address: string): boolean {
  // A zone (fe80::1%eth0) is only found on local addresses.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.toString() === AZURE_HOST) return false;
  const isPublic = parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6));
  return isPublic && !isOwnAddress(address);
}

/** Which addresses may be dialled. */
export interface AddressRule {
  (address: string): boolean;
  /** Names are those that the system knows, as on a development machine, instead of those of the name servers. */
  usesSystemNames?: boolean;
}

export const anyAddress: AddressRule = Object.assign(() => true, { usesSystemNames: true });

export function addressRuleOf({
  ALLOW_PRIVATE_ADDRESSES,
  DENIED_NETWORKS,
}: Pick<Config, 'ALLOW_PRIVATE_ADDRESSES' | 'DENIED_NETWORKS'>): AddressRule {
  const allowed: AddressRule = ALLOW_PRIVATE_ADDRESSES ? anyAddress : isPublicAddress;
  if (DENIED_NETWORKS.length === 0) return allowed;
  const networks = DENIED_NETWORKS.map(networkOf);
  const isDenied = (address: string) => {
    const parsed = ipaddr.process(address);
    return networks.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
    );
  };
  const rule = (address: string) => isIP(address) !== 0 && allowed(address) && !isDenied(address);
  return Object.assign(rule, { usesSystemNames: allowed.usesSystemNames });
}

type Network = [ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** @param text an address, with the length of its prefix where it is a network */
function networkOf(text: string): Network {
  const [address = '', length] = text.split('/');
  const network = ipaddr.parse(address);
  const bits = length === undefined ? (network.kind() === 'ipv4' ? 32 : 128) : Number(length);
  const isMapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [network.toIPv4Address(), bits - 96] : [network, bits];
}

/** Refuses a name one of whose addresses may not be dialled: which of them it will be is not ours to say. */
const guardedLookup =
  (isAddressAllowed: AddressRule): LookupFunction =>
  (hostname, options, callback) => {
    const fail = (error: Error) => callback(error, '', 0);
    const asking: Promise<LookupAddress[]> = isAddressAllowed.usesSystemNames
      ? lookup(hostname, { ...options, all: true })
      : addressesOf(hostname);
    asking.then((addresses) => {
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isAddressAllowed(address)))
        return fail(new PrivateAddressError());
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    }, fail);
  };

/**
 * An HTTP agent for addresses that somebody else wrote. It looks at the very address that is dialled, so that a name
 * which changes its answer (DNS rebinding) gains nothing. Every request, and so every redirect, must go through it.
 */
export function outboundAgent(options: { isAddressAllowed: AddressRule; connectTimeoutMs: number }): Agent {
  const { isAddressAllowed, connectTimeoutMs } = options;
  const dial = buildConnector({ timeout: connectTimeoutMs, lookup: guardedLookup(isAddressAllowed) });
  const connect: buildConnector.connector = (target, callback) => {
    const hostname = target.hostname.replace(/^\[|\]$/g, '');
    // An address in the URL is never looked up.
    if (isIP(hostname) !== 0 && !isAddressAllowed(hostname)) return callback(new PrivateAddressError(), null);
    dial(target, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (isAddressAllowed(socket.remoteAddress ?? '')) return callback(null, socket);
      socket.destroy();
      callback(new PrivateAddressError(), null);
    });
  };
  return new Agent({ connect, pipelining: 0, maxHeaderSize: 16_384 });
}
