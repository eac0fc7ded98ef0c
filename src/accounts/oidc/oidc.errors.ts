import { ApiError } from '../../platform/http/errors';

export const noIdentityProvider = () =>
  new ApiError('ROUTE_NOT_FOUND', 'Not found', {
    details: 'This installation has no identity provider for people (OIDC_ISSUER).',
  });
