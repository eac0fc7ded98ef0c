import { ApiError } from '../../platform/http/errors';

export const noteChanged = () =>
  new ApiError('NOTE_CHANGED', 'The note has changed', {
    details:
      'Its updated_at is another one. Read the note, and send the text with the updated_at that it has now.',
  });
