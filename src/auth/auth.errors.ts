import { ApiError, validationFailed } from '../common/errors';

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
