import { Inject, Injectable } from '@nestjs/common';
import {
  allowInsecureRequests,
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  customFetch,
  type CustomFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { CONFIG, type Config, type OidcConfig } from '../../config';
import { readBounded } from '../../platform/outbound-http/read-bounded';
import { type Identity, isAllowed, isSubject, readIdentity } from './identity';
import { SignInProblem } from './sign-in-problem';

const TIMEOUT_SECONDS = 5;
const MAX_BYTES = 1_048_576;

/** The time for which the metadata of the provider count. */
const FRESH_MS = 3_600_000;

/** The time from a failure to read the metadata to the next attempt. */
const COOLDOWN_MS = 2_000;

/** The sign-ins that may ask the provider at once in this process. */
const MAX_AT_ONCE = 20;

/** The secrets of a sign-in, which the browser keeps from its beginning to its end. */
export interface SignInAttempt {
  state: string;
  nonce: string;
  codeVerifier: string;
}

const boundedFetch: CustomFetch = async (url, options) => {
  const response = await fetch(url, options);
  const body = await readBounded(response, MAX_BYTES);
  const { status, statusText, headers } = response;
  // A response with another status may have no body at all.
  return new Response(body.length === 0 ? null : new Uint8Array(body), { status, statusText, headers });
};

/** The identity provider of the settings, by OpenID Connect: the code flow with PKCE, state and nonce. */
@Injectable()
export class IdentityProvider {
  private readonly settings: OidcConfig | undefined;
  private known: { configuration: Configuration; readAt: number } | undefined;
  private reading: Promise<Configuration> | undefined;
  private cooldownEnd = 0;
  private running = 0;

  constructor(@Inject(CONFIG) { oidc }: Pick<Config, 'oidc'>) {
    this.settings = oidc;
  }

  /** The name on the button of the login page; null: people cannot sign in with a provider. */
  get name(): string | null {
    return this.settings?.name ?? null;
  }

  /** @returns the page of the provider that begins a sign-in @throws SignInProblem */
  async begin(): Promise<{ url: URL; attempt: SignInAttempt }> {
    const { redirectUri } = this.getSettings();
    const configuration = await this.withinLimit(() => this.getConfiguration());
    const attempt = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid profile email',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url, attempt };
  }

  /**
   * Exchanges the code for the identity of the user.
   * @param query the parameters with which the provider sent the browser back
   * @throws SignInProblem
   */
  async finish(query: string, attempt: SignInAttempt): Promise<Identity> {
    const { redirectUri, ...settings } = this.getSettings();
    if (new URLSearchParams(query).get('state') !== attempt.state) throw new SignInProblem('expired');
    return this.withinLimit(async () => {
      const configuration = await this.getConfiguration();
      const { claims, accessToken } = await this.exchange(configuration, `${redirectUri}${query}`, attempt);
      const { iss, sub } = claims;
      if (!isSubject(sub)) throw new SignInProblem('failed');
      const all = { ...(await this.fetchMoreClaims(configuration, accessToken, sub)), ...claims };
      const identity = readIdentity(iss, sub, all);
      if (!isAllowed(identity, all, settings)) throw new SignInProblem('not_allowed');
      return identity;
    });
  }

  private getSettings(): OidcConfig {
    if (!this.settings) throw new Error('The settings have no identity provider');
    return this.settings;
  }

  private async exchange(configuration: Configuration, url: string, attempt: SignInAttempt) {
    try {
      const tokens = await authorizationCodeGrant(configuration, new URL(url), {
        pkceCodeVerifier: attempt.codeVerifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new SignInProblem('failed');
      return { claims, accessToken: tokens.access_token };
    } catch (error) {
      throw toProblem(error);
    }
  }

  /** The claims of scopes are those of this endpoint, and may be missing in the ID token (OpenID Connect Core, 5.4). */
  private async fetchMoreClaims(configuration: Configuration, accessToken: string, subject: string) {
    if (!configuration.serverMetadata().userinfo_endpoint) return {};
    try {
      return await fetchUserInfo(configuration, accessToken, subject);
    } catch (error) {
      throw toProblem(error);
    }
  }

  /** Requests to a provider that does not answer must not pile up. */
  private async withinLimit<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= MAX_AT_ONCE) throw new SignInProblem('busy');
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
    }
  }

  /** The metadata are read once for all sign-ins. While they cannot be read, the last ones count. */
  private async getConfiguration(): Promise<Configuration> {
    const isFresh = this.known !== undefined && Date.now() < this.known.readAt + FRESH_MS;
    if (!isFresh && !this.reading && Date.now() >= this.cooldownEnd) {
      this.reading = this.discover().finally(() => (this.reading = undefined));
      // Each sign-in that waits handles the failure.
      this.reading.catch(() => undefined);
    }
    if (this.known) return this.known.configuration;
    if (!this.reading) throw new SignInProblem('unavailable');
    return this.reading;
  }

  private async discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.getSettings();
    const isInsecure = new URL(issuer).protocol === 'http:';
    try {
      const configuration = await discovery(
        new URL(issuer),
        clientId,
        undefined,
        toClientAuth(clientSecret),
        {
          timeout: TIMEOUT_SECONDS,
          // Without these checks, the library trusts the connection and not the signature of an ID token.
          execute: [enableNonRepudiationChecks, ...(isInsecure ? [allowInsecureRequests] : [])],
          [customFetch]: boundedFetch,
        },
      );
      this.known = { configuration, readAt: Date.now() };
      return configuration;
    } catch (error) {
      this.cooldownEnd = Date.now() + COOLDOWN_MS;
      throw new SignInProblem('unavailable', { cause: error });
    }
  }
}

/** Sends the secret in the header, unless the provider says that it takes it in the body only. */
function toClientAuth(secret: string): ClientAuth {
  const [inHeader, inBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    // A provider that names no method takes the header (OpenID Connect Discovery, 3).
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? inHeader : inBody)(server, client, body, headers);
  };
}

/** A request that failed, or that took too long. */
const isUnreachable = (error: unknown) =>
  error instanceof TypeError || (error as { code?: unknown }).code === 'OAUTH_TIMEOUT';

function toProblem(error: unknown): SignInProblem {
  if (error instanceof SignInProblem) return error;
  const options = { cause: error };
  if (error instanceof AuthorizationResponseError) {
    return new SignInProblem(error.error === 'access_denied' ? 'cancelled' : 'refused', options);
  }
  // The code was used before or is too old: another attempt gets another one.
  if (error instanceof ResponseBodyError) {
    return new SignInProblem(error.error === 'invalid_grant' ? 'expired' : 'refused', options);
  }
  if (error instanceof WWWAuthenticateChallengeError) return new SignInProblem('refused', options);
  return new SignInProblem(isUnreachable(error) ? 'unavailable' : 'failed', options);
}
