import { createAddressRule as excludeNetworks, isPublicAddress } from '@parley/voice';
import type { Config } from '../../config';

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
