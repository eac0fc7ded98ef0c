import type { Success } from './requests';

/** The bytes of a file in parts, which `for await` reads too. */
export type Download = ReadableStream<Uint8Array> &
  AsyncIterable<Uint8Array> & {
    /** Reads the whole of it as text. */
    text(): Promise<string>;
  };

/** Opens the body of an answer. Each read has the time limit of a request. No time limit runs between two reads. */
export function openDownload({ response, limit }: Success<unknown>): Download {
  limit.pause();
  const body = (response.body ?? new Blob([]).stream()) as ReadableStream<Uint8Array>;
  const reader = body.getReader();
  const parts = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        limit.restart();
        try {
          const { done, value } = await reader.read();
          limit.pause();
          if (!done) return controller.enqueue(value);
          limit.end();
          controller.close();
        } catch (error) {
          limit.end();
          throw limit.explain(error);
        }
      },
      async cancel(reason) {
        limit.end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return Object.assign(parts, { text: () => new Response(parts).text() });
}
