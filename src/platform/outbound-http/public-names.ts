import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/**
 * The resolver sends queries to the name servers directly. The system's lookup would block one of a few threads,
 * which reading files also needs, for as long as a name server does not answer.
 */
export const nameServers = new Resolver({ timeout: 2_000, tries: 2 });

/** The codes for a name that does not exist, has no address or is malformed. */
const UNKNOWN_NAME_CODES = ['ENOTFOUND', 'ENODATA', 'EBADNAME'];

/** This name must not be looked up (RFC 6761, 6.3). */
const LOCALHOST = /(^|\.)localhost\.?$/i;
const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * All addresses of a name on the public internet, without `/etc/hosts` and search domains.
 * @throws an error with the code ENOTFOUND if the name has none, EAI_AGAIN if no name server answers
 */
export async function resolveAddresses(name: string): Promise<LookupAddress[]> {
  if (LOCALHOST.test(name)) return LOOPBACK;
  const answers = await Promise.allSettled([
    nameServers.resolve4(name).then((addresses) => addresses.map((address) => ({ address, family: 4 }))),
    nameServers.resolve6(name).then((addresses) => addresses.map((address) => ({ address, family: 6 }))),
  ]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const failures = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as NodeJS.ErrnoException] : [],
  );
  const isUnknown = failures.every(({ code }) => UNKNOWN_NAME_CODES.includes(code ?? ''));
  throw Object.assign(new Error(`${name} cannot be looked up`, { cause: failures }), {
    code: isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN',
  });
}
