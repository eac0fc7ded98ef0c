import {
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SigningKey {
  privateKey: string;
  publicKey: string;
}

const pem = (key: KeyObject, type: 'spki' | 'pkcs8') => key.export({ type, format: 'pem' }).toString();

const signingKey = ({ privateKey, publicKey }: KeyPairKeyObjectResult): SigningKey => ({
  privateKey: pem(privateKey, 'pkcs8'),
  publicKey: pem(publicKey, 'spki'),
});

export const rsaKey = (modulusLength = 2_048) => signingKey(generateKeyPairSync('rsa', { modulusLength }));

export const ecKey = (namedCurve = 'P-256') => signingKey(generateKeyPairSync('ec', { namedCurve }));

/** Publishes public keys by their ids, like an identity provider (RFC 7517). */
export class IdentityProvider {
  /** The number of requests that it has received. */
  requests = 0;
  /** Whether it accepts requests without an answer. */
  isSilent = false;
  /** Replaces the answer with the keys. */
  answer: ((response: ServerResponse) => void) | undefined;

  private port = 0;
  private readonly server = createServer((_, response) => {
    this.requests += 1;
    if (this.isSilent) return;
    if (this.answer) return this.answer(response);
    const keys = Object.entries(this.keys).map(([kid, { publicKey }]) => ({
      kid,
      use: 'sig',
      ...createPublicKey(publicKey).export({ format: 'jwk' }),
    }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  });

  constructor(readonly keys: Record<string, SigningKey>) {}

  /** Starts it. A second start uses the same address. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
    return `http://127.0.0.1:${this.port}/.well-known/jwks.json`;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
