import { ApiError } from '../../platform/http/errors';

export const personNotFound = () => new ApiError('PERSON_NOT_FOUND', 'Person not found');

export const emailTaken = () =>
  new ApiError('PERSON_EMAIL_TAKEN', 'A person has this e-mail address already', {
    details: 'Change the role of that person, or make a sign-in link for them.',
  });

export const lastAdmin = () =>
  new ApiError('LAST_ADMIN', 'The workspace needs an admin', {
    details:
      'The person is the only admin who has joined. Give another person who has joined the role first.',
  });
