import { ApiError, forbidden, unauthenticated, validationFailed } from '../common/errors';

export const noCredential = () =>
  unauthenticated('Send an API key in the header X-API-Key, or a token as Authorization: Bearer <token>.');

export const invalidCredential = () =>
  unauthenticated(
    'The API key or token is not valid: unknown, expired, revoked, or signed with another key.',
  );

export const outOfScope = () => forbidden('The scope of this credential does not reach here');

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

export const tooManyRequests = (limit: number, seconds: number) =>
  new ApiError(429, 'Too many requests', {
    details: `This credential may send ${limit} requests a minute; try again in ${seconds} s.`,
  });
