import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/**
 * Asks the name servers themselves. The system's lookup would hold a thread for as long as a name server is silent: the
 * process has few, and reading files and finding the database need them too.
 */
export const nameServers = new Resolver({ timeout: 2_000, tries: 2 });

/** Codes for a name that nobody has, that has no address, or that can be no name. */
const NOT_KNOWN = ['ENOTFOUND', 'ENODATA', 'EBADNAME'];

/** Never asked for outside (RFC 6761, 6.3). */
const LOCALHOST = /(^|\.)localhost\.?$/i;
const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * All addresses of a name of the public internet; `/etc/hosts` and search domains have no part in it.
 * @throws an error with the code ENOTFOUND where it has none, EAI_AGAIN where no name server says so
 */
export async function addressesOf(name: string): Promise<LookupAddress[]> {
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
  const isUnknown = failures.every(({ code }) => NOT_KNOWN.includes(code ?? ''));
  throw Object.assign(new Error(`${name} can not be looked up`, { cause: failures }), {
    code: isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN',
  });
}
