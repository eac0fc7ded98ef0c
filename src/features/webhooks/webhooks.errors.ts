import { ApiError } from '../../platform/http/errors';

export const deliveryNotFound = () =>
  new ApiError('WEBHOOK_DELIVERY_NOT_FOUND', 'Webhook delivery not found');
