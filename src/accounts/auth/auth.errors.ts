import { MCP_ACT_SCOPE } from '../../config';
import type { ErrorCode } from '../../platform/http/error-codes';
import { ApiError, rateLimited, retryAfter, validationFailed } from '../../platform/http/errors';
import { workspaceSuspended } from '../workspaces/workspaces.errors';

const unauthenticated = (errorCode: ErrorCode, details: string) =>
  new ApiError(errorCode, 'Unauthorized', { details });

export const noCredential = () =>
  unauthenticated(
    'MISSING_CREDENTIAL',
    'Send an API key in the header X-API-Key, or a token as Authorization: Bearer <token>.',
  );

export const invalidCredential = () =>
  unauthenticated(
    'INVALID_CREDENTIAL',
    'The credential is not valid: unknown, expired, revoked, used already, or signed with another key.',
  );

const OUT_OF_SCOPE = 'The scope of the credential does not include this operation';

export const outOfScope = () => new ApiError('OUT_OF_SCOPE', OUT_OF_SCOPE);

export const requiredScopeMissing = (scope: string) =>
  new ApiError('OUT_OF_SCOPE', OUT_OF_SCOPE, {
    details: `The claim "scope" of the token must contain ${scope}.`,
  });

export const apiKeyRequired = () =>
  new ApiError('API_KEY_REQUIRED', 'This operation requires an API key', {
    details: 'It does not accept tokens. Send an API key without a scope in the header X-API-Key.',
  });

export const keysUnavailable = (seconds: number) =>
  new ApiError(
    'KEYS_UNAVAILABLE',
    'Tokens cannot be checked',
    {
      details: `The keys of the identity provider (JWKS_URL) could not be loaded. Try again in ${seconds} s.`,
    },
    retryAfter(seconds),
  );

export const crossSiteRequest = () =>
  new ApiError('CROSS_SITE_REQUEST', 'The request did not come from a page of this server', {
    details:
      'With a session, a request that changes something must have the header X-Parley-Session: 1 and come from the ' +
      'same origin (Sec-Fetch-Site or Origin).',
  });

export const sessionNotFound = () => new ApiError('SESSION_NOT_FOUND', 'Session not found');

export const noSession = () =>
  new ApiError('SESSION_NOT_FOUND', 'Session not found', {
    details: 'The credential of the request is an API key or a token, not the cookie of a session.',
  });

export const twoCredentials = () =>
  validationFailed([
    { field: 'body.token', message: 'token must not be sent together with an API key or a bearer token' },
  ]);

export const apiKeyNotFound = () => new ApiError('API_KEY_NOT_FOUND', 'API key not found');

export const capNeedsActing = () =>
  validationFailed([
    { field: 'body.callsPerDay', message: `callsPerDay must come with the scope ${MCP_ACT_SCOPE}` },
  ]);

export const capInherited = () =>
  validationFailed([
    {
      field: 'body.callsPerDay',
      message:
        'callsPerDay must not be given by a credential that has a cap: what it creates shares its cap and its count',
    },
  ]);

/** The operation makes a credential or plans a campaign, whose calls the cap would not count. */
export const operationLiftsCap = () =>
  new ApiError('OUT_OF_SCOPE', OUT_OF_SCOPE, {
    details:
      'The credential has a cap of calls a day. It cannot create or change campaigns, and cannot invite or change ' +
      'people, because the cap would not count their calls.',
  });

export const expiryInThePast = () =>
  validationFailed([{ field: 'body.expires', message: 'expires must be in the future' }]);

export const tokensIssuedElsewhere = () =>
  new ApiError('TOKENS_ISSUED_ELSEWHERE', 'Tokens are issued elsewhere', {
    error: {
      details:
        'This server checks the tokens of an identity provider (JWT_PUBLIC_KEY or JWKS_URL). Get a token there.',
    },
  });

export const tooManyRequests = (limit: number, seconds: number) =>
  rateLimited(`This workspace may send ${limit} requests a minute`, seconds);

export const tooManyWrongCredentials = (limit: number, seconds: number) =>
  rateLimited(`More than ${limit} wrong credentials came from this address within a minute`, seconds);

/** The refusals that every operation with a credential shares, for the OpenAPI document. */
export const guardErrors = () => [
  noCredential(),
  invalidCredential(),
  outOfScope(),
  workspaceSuspended(),
  tooManyRequests(600_000, 12),
  keysUnavailable(5),
];
