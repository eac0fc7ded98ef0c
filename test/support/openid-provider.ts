import { createHash, createPublicKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sign } from 'jsonwebtoken';
import { rsaKey } from './identity-provider';

const KEY = rsaKey();
const OTHER_KEY = rsaKey();
const CODE_SECONDS = 60;

/** A user of the provider: the id and what the provider knows. */
export interface ProviderUser {
  sub: string;
  name?: string;
  email?: string;
  email_verified?: boolean;
  [claim: string]: unknown;
}

interface Grant {
  user: ProviderUser;
  redirectUri: string;
  challenge: string;
  nonce: string | undefined;
  scopes: string[];
  expiresAt: number;
}

const CLAIMS_OF_SCOPES: Record<string, string[]> = {
  profile: ['name', 'preferred_username', 'groups'],
  email: ['email', 'email_verified'],
};

const newSecret = () => randomBytes(24).toString('base64url');

/**
 * An OpenID provider as its documents describe it (OpenID Connect Core and Discovery 1.0, RFC 6749, 7636 and 9207): one
 * registered client, the code flow, and RS256. It refuses what the documents tell a provider to refuse.
 */
export class OpenIdProvider {
  readonly clientId = 'parley';
  readonly clientSecret = 'a secret: with + and %';

  /** The user who is signed in at the provider. null: the user refuses */
  user: ProviderUser | null = null;
  /** Whether it accepts requests without an answer. */
  isSilent = false;
  /** Answers in the place of the endpoints with these paths. */
  readonly instead = new Map<string, (response: ServerResponse) => void>();
  /** Changes what the next ID tokens say. */
  idTokenChanges: Record<string, unknown> = {};
  /** Whether the ID tokens are signed with a key that is not published. */
  isForged = false;
  /** The paths of its requests. */
  readonly requests: string[] = [];

  private readonly grants = new Map<string, Grant>();
  private readonly accessTokens = new Map<string, Grant>();
  private readonly server = createServer((request, response) => void this.answer(request, response));
  private port = 0;

  /** @param redirectUri the registered address of the client */
  constructor(private readonly redirectUri: string) {}

  get issuer(): string {
    return `http://127.0.0.1:${this.port}/realms/acme`;
  }

  /** The settings of Parley for this provider. */
  get settings() {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: this.clientId,
      OIDC_CLIENT_SECRET: this.clientSecret,
      OIDC_NAME: 'Acme',
    };
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer);
    const path = url.pathname.replace('/realms/acme', '');
    this.requests.push(path);
    if (this.isSilent) return;
    const instead = this.instead.get(path);
    if (instead) return instead(response);
    switch (`${request.method} ${path}`) {
      case 'GET /.well-known/openid-configuration':
        return sendJson(response, 200, this.metadata());
      case 'GET /jwks':
        return sendJson(response, 200, { keys: [toJwk()] });
      case 'GET /authorize':
        return this.authorize(url.searchParams, response);
      case 'POST /token':
        return this.exchange(request, response);
      case 'GET /userinfo':
        return this.showUser(request, response);
      default:
        return sendJson(response, 404, {});
    }
  }

  private metadata() {
    const at = (path: string) => this.issuer + path;
    return {
      issuer: this.issuer,
      authorization_endpoint: at('/authorize'),
      token_endpoint: at('/token'),
      userinfo_endpoint: at('/userinfo'),
      jwks_uri: at('/jwks'),
      scopes_supported: ['openid', 'profile', 'email'],
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  /** RFC 6749, 4.1.1 and 4.1.2.1: an unknown client or address is never redirected to. */
  private authorize(query: URLSearchParams, response: ServerResponse): void {
    const names = [...query.keys()];
    if (new Set(names).size < names.length) return sendText(response, 400, 'A parameter is repeated');
    if (query.get('client_id') !== this.clientId) return sendText(response, 400, 'Unknown client');
    if (query.get('redirect_uri') !== this.redirectUri)
      return sendText(response, 400, 'Unknown redirect_uri');
    const state = query.get('state');
    const lead = (parameters: Record<string, string>) => {
      const target = new URL(this.redirectUri);
      const all = { ...parameters, ...(state !== null && { state }), iss: this.issuer };
      for (const [name, value] of Object.entries(all)) target.searchParams.set(name, value);
      response.writeHead(302, { location: target.href, 'cache-control': 'no-store' }).end();
    };
    if (query.get('response_type') !== 'code') return lead({ error: 'unsupported_response_type' });
    const scopes = (query.get('scope') ?? '').split(' ');
    if (!scopes.includes('openid')) return lead({ error: 'invalid_scope' });
    const challenge = query.get('code_challenge') ?? '';
    if (query.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge))
      return lead({ error: 'invalid_request', error_description: 'PKCE with S256 is required' });
    if (!this.user) return lead({ error: 'access_denied' });
    const code = newSecret();
    this.grants.set(code, {
      user: this.user,
      redirectUri: this.redirectUri,
      challenge,
      nonce: query.get('nonce') ?? undefined,
      scopes,
      expiresAt: Date.now() + CODE_SECONDS * 1_000,
    });
    lead({ code });
  }

  /** RFC 6749, 4.1.3 and 5; RFC 7636, 4.6. */
  private async exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refuse = (error: string, status = 400) =>
      sendJson(response, status, { error }, status === 401 ? { 'www-authenticate': 'Basic' } : {});
    if (!/^application\/x-www-form-urlencoded\b/.test(request.headers['content-type'] ?? ''))
      return refuse('invalid_request');
    const body = new URLSearchParams(await text(request));
    if (!this.isClient(request.headers.authorization)) return refuse('invalid_client', 401);
    if (body.has('client_secret')) return refuse('invalid_request');
    if (body.get('grant_type') !== 'authorization_code') return refuse('unsupported_grant_type');
    const code = body.get('code') ?? '';
    const grant = this.grants.get(code);
    this.grants.delete(code);
    if (!grant || grant.expiresAt < Date.now()) return refuse('invalid_grant');
    if (body.get('redirect_uri') !== grant.redirectUri) return refuse('invalid_grant');
    const verifier = body.get('code_verifier') ?? '';
    if (!/^[\w.~-]{43,128}$/.test(verifier)) return refuse('invalid_request');
    if (createHash('sha256').update(verifier).digest('base64url') !== grant.challenge)
      return refuse('invalid_grant');
    const accessToken = newSecret();
    this.accessTokens.set(accessToken, grant);
    sendJson(response, 200, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 300,
      id_token: this.signIdToken(grant),
    });
  }

  /** The id and the secret are encoded as in a form before they are put into the header (RFC 6749, 2.3.1). */
  private isClient(authorization = ''): boolean {
    const [, encoded = ''] = /^Basic (.+)$/.exec(authorization) ?? [];
    const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(':');
    const decode = (part: string) => new URLSearchParams(`part=${part}`).get('part') ?? '';
    const [given, own] = [decode(secret), this.clientSecret].map((value) => Buffer.from(value));
    return (
      decode(id) === this.clientId &&
      given?.length === own?.length &&
      timingSafeEqual(given as Buffer, own as Buffer)
    );
  }

  /** The claims of the scopes are those of the UserInfo endpoint (OpenID Connect Core, 5.4). */
  private signIdToken({ user, nonce }: Grant): string {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: this.issuer,
      sub: user.sub,
      aud: this.clientId,
      iat: now,
      exp: now + 300,
      ...(nonce !== undefined && { nonce }),
      ...this.idTokenChanges,
    };
    const { privateKey } = this.isForged ? OTHER_KEY : KEY;
    return sign(claims, privateKey, { algorithm: 'RS256', keyid: 'one' });
  }

  private showUser(request: IncomingMessage, response: ServerResponse): void {
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const grant = this.accessTokens.get(token);
    if (!grant) return sendJson(response, 401, {}, { 'www-authenticate': 'Bearer error="invalid_token"' });
    const names = ['sub', ...grant.scopes.flatMap((scope) => CLAIMS_OF_SCOPES[scope] ?? [])];
    const claims = names.filter((name) => name in grant.user).map((name) => [name, grant.user[name]]);
    sendJson(response, 200, Object.fromEntries(claims) as object);
  }
}

const toJwk = () => ({
  ...createPublicKey(KEY.publicKey).export({ format: 'jwk' }),
  kid: 'one',
  use: 'sig',
  alg: 'RS256',
});

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
    .end(JSON.stringify(body));
}

const sendText = (response: ServerResponse, status: number, body: string): void =>
  void response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
