import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { CONFIG, type Config } from '../../config';
import { DocumentReader, type ReadRequester } from '../../platform/documents/document-reader';
import type { InputDocument, ReadDocument } from '../../platform/documents/formats/read-document';
import { ForwardingPageError } from '../../platform/documents/forwarding-page.error';
import { ReaderError } from '../../platform/documents/reader.error';
import { UnreadableDocumentError } from '../../platform/documents/unreadable-document.error';
import type { UploadedFile } from '../../platform/http/uploaded-file';
import { LinkFetcher, type SpentLimits } from '../../platform/outbound-http/link-fetcher';
import { OutboundRequestError } from '../../platform/outbound-http/outbound-request.error';
import { createAddressRule } from '../../platform/outbound-http/public-address';
import { linkUnavailable, readerFailed, unreadableFile } from './knowledge-base.errors';
import type { NewSource } from './sources.repository';

const ACCEPT = 'text/html, application/pdf, text/plain, text/markdown, text/csv, */*;q=0.5';

/** Gets the text of a link or of an uploaded file. */
@Injectable()
export class SourceReader implements OnApplicationShutdown {
  private readonly logger = new Logger(SourceReader.name);
  private readonly links: LinkFetcher;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly documents: DocumentReader,
  ) {
    this.links = new LinkFetcher(createAddressRule(config));
  }

  onApplicationShutdown(): Promise<void> {
    return this.links.close();
  }

  /**
   * Makes the source of an uploaded file.
   * @param name the name of the source; default: the name of the file
   * @throws 400 if it cannot be read, 500 or 503 if the server cannot read
   */
  async fromFile(
    { path, name: fileName, contentType, size }: UploadedFile,
    requester: ReadRequester,
    name = fileName,
  ): Promise<NewSource> {
    // Clients guess the type from the name.
    const decidedBy = 'name' as const;
    const open = async () => ({ bytes: await readFile(path), name: fileName, contentType, decidedBy });
    const { kind, mediaType, text } = await this.orRefuse(
      unreadableFile,
      this.documents.read(open, requester),
    );
    const bytes = size + Buffer.byteLength(text);
    return { type: kind, name, url: '', fileName, fileType: mediaType, text, bytes };
  }

  /**
   * Makes the sources of links, each once. It reads the first link; jobs read the others.
   * @param field the field with the first link
   * @throws 422 if that cannot be read, 500 or 503 if the server cannot read
   */
  async fromLinks(links: string[], field: string, requester: ReadRequester): Promise<NewSource[]> {
    const [first = '', ...others] = new Set(links);
    const refusal = (reason: string) => linkUnavailable(field, reason);
    const { mediaType, text } = await this.orRefuse(refusal, this.readLink(first, requester));
    const read = { ...linkSource(first), fileType: mediaType, text, bytes: Buffer.byteLength(text) };
    return [read, ...others.map(linkSource)];
  }

  /**
   * Fetches the link once a reader process is free, so that waiting links take no memory. A page that only forwards
   * counts as a redirect.
   * @throws UnreadableDocumentError, OutboundRequestError, ReaderError
   * @throws 503 if a request has waited too long
   */
  async readLink(link: string, requester: ReadRequester): Promise<ReadDocument> {
    const spent = { ms: 0, redirects: 0 };
    for (let target = link; ; spent.redirects++) {
      try {
        return await this.documents.read(() => this.open(target, requester, spent), requester);
      } catch (error) {
        if (!(error instanceof ForwardingPageError)) throw error;
        target = error.target;
      }
    }
  }

  private async open(
    link: string,
    { abortSignal: signal }: ReadRequester,
    spent: SpentLimits,
  ): Promise<InputDocument> {
    const { bytes, contentType, url } = await this.links.fetch(link, { accept: ACCEPT, signal, spent });
    // The server names the type of its content, and the end of a path is arbitrary.
    return { bytes, contentType, url, name: basename(new URL(url).pathname), decidedBy: 'contentType' };
  }

  private async orRefuse<Result>(refusal: (reason: string) => Error, read: Promise<Result>): Promise<Result> {
    try {
      return await read;
    } catch (error) {
      if (error instanceof UnreadableDocumentError || error instanceof OutboundRequestError) {
        throw refusal(error.message);
      }
      if (!(error instanceof ReaderError)) throw error;
      this.logger.error({ err: error }, 'A document could not be read');
      throw readerFailed(error.message);
    }
  }
}

const linkSource = (url: string): NewSource => ({
  type: 'link',
  name: url,
  url,
  fileName: '',
  fileType: '',
  text: null,
  bytes: 0,
});
