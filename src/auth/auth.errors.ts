import { ApiError, forbidden, retryAfter, unauthenticated, validationFailed } from '../http/errors';

export const noCredential = () =>
  unauthenticated('Send an API key in the header X-API-Key, or a token as Authorization: Bearer <token>.');

export const invalidCredential = () =>
  unauthenticated(
    'The API key or token is not valid: unknown, expired, revoked, or signed with another key.',
  );

export const outOfScope = () => forbidden('The scope of this credential does not reach here');

export const requiredScopeMissing = (scope: string) =>
  new ApiError(403, 'The scope of this credential does not reach here', {
    details: `The claim "scope" of the token must contain ${scope}.`,
    error_code: 'OUT_OF_SCOPE',
  });

export const apiKeyRequired = () =>
  new ApiError(403, 'This needs an API key', {
    details: 'A token can not do this; send an API key without a scope in the header X-API-Key.',
    error_code: 'API_KEY_REQUIRED',
  });

export const keysUnavailable = (seconds: number) =>
  new ApiError(
    503,
    'Tokens can not be checked',
    {
      details: `The keys of the identity provider (JWKS_URL) could not be loaded; try again in ${seconds} s.`,
      error_code: 'KEYS_UNAVAILABLE',
    },
    retryAfter(seconds),
  );

export const apiKeyNotFound = () => new ApiError(404, 'API key not found');

export const expiryInThePast = () =>
  validationFailed([{ field: 'body.expires', message: 'expires must be in the future' }]);

export const tokensIssuedElsewhere = () =>
  new ApiError(409, 'Tokens are issued elsewhere', {
    error: {
      details:
        'This server checks the tokens of your identity provider (JWT_PUBLIC_KEY or JWKS_URL); get one there.',
    },
  });

const rateLimited = (sentence: string, seconds: number) =>
  new ApiError(
    429,
    'Too many requests',
    { details: `${sentence}; try again in ${seconds} s.`, error_code: 'RATE_LIMITED' },
    retryAfter(seconds),
  );

export const tooManyRequests = (limit: number, seconds: number) =>
  rateLimited(`This workspace may send ${limit} requests a minute`, seconds);

export const tooManyWrongCredentials = (limit: number, seconds: number) =>
  rateLimited(`More than ${limit} wrong credentials came from this address within a minute`, seconds);
