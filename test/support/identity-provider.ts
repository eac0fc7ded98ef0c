import {
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto';
import { createServer } from 'node:http';
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

/** Publishes public keys, by their id, as identity providers do (RFC 7517). */
export class IdentityProvider {
  private readonly server = createServer((_, response) => {
    const keys = Object.entries(this.keys).map(([kid, { publicKey }]) => ({
      kid,
      use: 'sig',
      ...createPublicKey(publicKey).export({ format: 'jwk' }),
    }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  });

  constructor(readonly keys: Record<string, SigningKey>) {}

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/.well-known/jwks.json`;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
