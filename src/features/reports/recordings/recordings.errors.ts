import { ApiError } from '../../../platform/http/errors';

export const recordingNotFound = () => new ApiError('RECORDING_NOT_FOUND', 'Recording not found');

export const recordingExists = () =>
  new ApiError('RECORDING_EXISTS', 'The call has a recording', {
    error: { details: 'A recording is handed in once.' },
  });

export const recordingTooLarge = (megabytes: number) =>
  megabytes === 0
    ? new ApiError('PAYLOAD_TOO_LARGE', 'Recordings are not kept here', {
        details: 'The operator has set RECORDING_MAX_MB to 0.',
      })
    : new ApiError('PAYLOAD_TOO_LARGE', 'The recording is too large', {
        details: `A recording has at most ${megabytes} MB.`,
      });
