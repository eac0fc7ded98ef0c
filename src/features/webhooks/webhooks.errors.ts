import { ApiError } from '../../platform/http/errors';

export const deliveryNotFound = () =>
  new ApiError('WEBHOOK_DELIVERY_NOT_FOUND', 'Webhook delivery not found');

export const endpointNotFound = () =>
  new ApiError('WEBHOOK_ENDPOINT_NOT_FOUND', 'Webhook endpoint not found');

export const endpointOff = () =>
  new ApiError('WEBHOOK_ENDPOINT_OFF', 'The webhook endpoint gets nothing now', {
    details: 'It is off, paused or deleted. Enable it, or replay what a paused one has not got.',
  });
