import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

interface Bodies {
  identity: Buffer;
  gzip: Buffer;
  hash: string;
}

/**
 * An answer that is the same for everybody. It is made and compressed once, and sent from there without a copy.
 */
export class PreparedAnswer {
  private bodies: Promise<Bodies> | undefined;

  constructor(
    private readonly type: string,
    private readonly make: () => string | Buffer | Promise<Buffer>,
  ) {}

  readonly send = async (request: Request, response: Response): Promise<void> => {
    this.bodies ??= this.prepare();
    // A failure is not kept: the next request tries again.
    const { identity, gzip, hash } = await this.bodies.catch((error: unknown) => {
      this.bodies = undefined;
      throw error;
    });
    const isCompressed = request.acceptsEncodings('gzip', 'identity') === 'gzip';
    // A client that has the answer gets 304 Not Modified: a new release can change the answer at any time.
    response.set({ 'Cache-Control': 'no-cache', ETag: `"${hash}${isCompressed ? '-gzip' : ''}"` });
    response.vary('Accept-Encoding').type(this.type);
    if (isCompressed) response.set('Content-Encoding', 'gzip');
    response.send(isCompressed ? gzip : identity);
  };

  private async prepare(): Promise<Bodies> {
    const identity = Buffer.from(await this.make());
    const hash = createHash('sha256').update(identity).digest('base64url');
    return { identity, gzip: await compress(identity), hash };
  }
}
