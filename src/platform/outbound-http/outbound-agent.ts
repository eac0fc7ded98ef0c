import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { PrivateAddressError } from './outbound-request.error';
import type { AddressRule } from './public-address';
import { resolveAddresses } from './public-names';

/** Refuses a name if one of its addresses is not allowed, because any of them may be connected to. */
const guardedLookup =
  (isAddressAllowed: AddressRule): LookupFunction =>
  (hostname, options, callback) => {
    const fail = (error: Error) => callback(error, '', 0);
    const resolving: Promise<LookupAddress[]> = isAddressAllowed.usesSystemNames
      ? lookup(hostname, { ...options, all: true })
      : resolveAddresses(hostname);
    resolving.then((addresses) => {
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isAddressAllowed(address)))
        return fail(new PrivateAddressError());
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    }, fail);
  };

/**
 * An HTTP agent for URLs that users name. It checks the address of the connected socket, so that DNS rebinding does not
 * pass. Every request, and so every redirect, must use it.
 */
export function outboundAgent(options: {
  isAddressAllowed: AddressRule;
  connectTimeoutMs: number;
  /** Called with each connection, before anything is sent. */
  onConnected?: (socket: Socket) => void;
  /** The size of a message of a WebSocket. */
  maxMessageBytes?: number;
}): Agent {
  const { isAddressAllowed, connectTimeoutMs, onConnected, maxMessageBytes } = options;
  const connectSocket = buildConnector({
    timeout: connectTimeoutMs,
    lookup: guardedLookup(isAddressAllowed),
  });
  const connect: buildConnector.connector = (target, callback) => {
    const hostname = target.hostname.replace(/^\[|\]$/g, '');
    // An IP address in the URL needs no DNS lookup.
    if (isIP(hostname) !== 0 && !isAddressAllowed(hostname)) return callback(new PrivateAddressError(), null);
    connectSocket(target, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (isAddressAllowed(socket.remoteAddress ?? '')) {
        onConnected?.(socket);
        return callback(null, socket);
      }
      socket.destroy();
      callback(new PrivateAddressError(), null);
    });
  };
  const webSocket = { maxPayloadSize: maxMessageBytes };
  return new Agent({ connect, pipelining: 0, maxHeaderSize: 16_384, webSocket });
}
