import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createAccess, type ApiOptions, readData } from './api-access';
import type { ApiOfCall } from './messages';

/** The bytes of a recording, or a stream of them. */
export type RecordingSource = Uint8Array | Readable | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export interface RecordOptions {
  contentType: 'audio/wav' | 'audio/mpeg';
}

const CONTENT_TYPES = ['audio/wav', 'audio/mpeg'];

/** Sends recordings to the server, with the credentials of their calls. */
export class RecordingUpload {
  constructor(private readonly options: ApiOptions) {}

  /** @returns the address at which the server gives the recording @throws Error if the server refuses it */
  async send(
    { id, api }: { id: string; api: ApiOfCall | undefined },
    source: RecordingSource,
    { contentType }: RecordOptions,
  ): Promise<string> {
    if (!CONTENT_TYPES.includes(contentType))
      throw new TypeError(`The contentType of a recording must be ${CONTENT_TYPES.join(' or ')}.`);
    // An API key may not upload a recording.
    const { url, headers } = createAccess({ url: this.options.url, key: undefined }, api, 'call.record');
    const body = source instanceof Uint8Array ? source : Readable.toWeb(Readable.from(source));
    const response = await fetch(`${url}/api/calls/${id}/recording`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': contentType },
      body: body as RequestInit['body'],
      // Node.js requires it for a body that is a stream.
      duplex: 'half',
    });
    const kept = await readData<{ recording_url: string }>(response, 'The recording was refused');
    return kept.recording_url;
  }
}
