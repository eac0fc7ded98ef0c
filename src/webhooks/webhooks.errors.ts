import { ApiError } from '../http/errors';

export const deliveryNotFound = () => new ApiError(404, 'Webhook delivery not found');
