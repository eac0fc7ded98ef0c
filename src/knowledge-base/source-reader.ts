import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { CONFIG, type Config } from '../config';
import { DocumentReader, type ReadRequester } from '../documents/document-reader';
import type { ReadDocument } from '../documents/formats/read-document';
import { ReaderError } from '../documents/reader.error';
import { UnreadableDocumentError } from '../documents/unreadable-document.error';
import type { UploadedFile } from '../http/uploaded-file';
import { LinkFetcher } from '../outbound-http/link-fetcher';
import { OutboundRequestError } from '../outbound-http/outbound-request.error';
import { addressRuleOf } from '../outbound-http/public-address';
import type { CreateKnowledgeBaseDto } from './knowledge-base.dto';
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
    this.links = new LinkFetcher(addressRuleOf(config));
  }

  onApplicationShutdown(): Promise<void> {
    return this.links.close();
  }

  /**
   * The sources of a new knowledge base. It reads the file or the first link; jobs read the other links.
   * @throws 400 or 422 if that cannot be read, 500 or 503 if the server cannot read
   */
  async sourcesOf(
    { file, baseUrl, urls = [] }: CreateKnowledgeBaseDto,
    requester: ReadRequester,
  ): Promise<NewSource[]> {
    if (file) return [await this.fileSource(file, requester)];
    const links = new Set([baseUrl ?? '', ...urls]);
    const [first = '', ...others] = links;
    return [await this.firstLink(first, requester), ...others.map((url) => linkSource(url))];
  }

  /**
   * Fetches the link once a reader process is free, so that waiting links take no memory.
   * @throws UnreadableDocumentError, OutboundRequestError, ReaderError
   * @throws 503 if a request has waited too long
   */
  readLink(link: string, requester: ReadRequester): Promise<ReadDocument> {
    const open = async () => {
      const { bytes, contentType, url } = await this.links.fetch(link, {
        accept: ACCEPT,
        signal: requester.abortSignal,
      });
      // A server knows the type of its content, and the end of a path is arbitrary.
      const decidedBy = 'contentType' as const;
      return { bytes, contentType, name: basename(new URL(url).pathname), decidedBy };
    };
    return this.documents.read(open, requester);
  }

  private async firstLink(url: string, requester: ReadRequester): Promise<NewSource> {
    const { mediaType, text } = await this.orRefuse(linkUnavailable, this.readLink(url, requester));
    return { ...linkSource(url), fileType: mediaType, text, bytes: Buffer.byteLength(text) };
  }

  private async fileSource(
    { path, name, contentType, size }: UploadedFile,
    requester: ReadRequester,
  ): Promise<NewSource> {
    // Clients guess the type from the name.
    const decidedBy = 'name' as const;
    const open = async () => ({ bytes: await readFile(path), name, contentType, decidedBy });
    const { kind, mediaType, text } = await this.orRefuse(
      unreadableFile,
      this.documents.read(open, requester),
    );
    const bytes = size + Buffer.byteLength(text);
    return { type: kind, name, url: '', fileName: name, fileType: mediaType, text, bytes };
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
