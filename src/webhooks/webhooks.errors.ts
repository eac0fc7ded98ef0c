import { ApiError } from '../common/errors';

export const deliveryNotFound = () => new ApiError(404, 'Webhook delivery not found');
