import { ApiError } from '../../platform/http/errors';

export const endpointNotFound = () =>
  new ApiError('WEBHOOK_ENDPOINT_NOT_FOUND', 'Webhook endpoint not found');

export const endpointOff = () =>
  new ApiError('WEBHOOK_ENDPOINT_OFF', 'The webhook endpoint is off', {
    details: 'Enable it first. It then gets what happens from now on, and a replay sends what was held.',
  });
