import { validationFailed } from '../common/errors';

export const numberTaken = () =>
  validationFailed([{ field: 'body.phone_number', message: 'phone_number belongs to another workspace' }]);
