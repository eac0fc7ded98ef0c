import ipaddr from 'ipaddr.js';

/**
 * Returns the address of a client. An IPv6 address becomes its network of 64 bits, which usually belongs to one
 * client.
 */
export function getClientNetwork({ ip = '' }: { ip?: string }): string {
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** An IPv4 address that a socket of both families shows as IPv6 is written as IPv4. */
export function plainAddress(address: string | undefined): string | null {
  return address !== undefined && ipaddr.isValid(address) ? ipaddr.process(address).toString() : null;
}
