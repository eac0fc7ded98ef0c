import { temporarilyRefused } from '../http/errors';

export const readersBusy = (seconds: number) =>
  temporarilyRefused(
    'DOCUMENT_READERS_BUSY',
    'Too many documents are being read',
    `The server could not start to read this one within ${seconds} s. Send it again later.`,
    seconds,
  );
