import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { LinkFetcher } from '../outbound-http/link-fetcher';
import { OutboundRequestError } from '../outbound-http/outbound-request.error';
import { addressRuleOf } from '../outbound-http/public-address';
import type { UploadedFile } from '../http/uploaded-file';
import { CONFIG, type Config } from '../config';
import { type ReadRequester, DocumentReader } from '../documents/document-reader';
import type { ReadDocument } from '../documents/formats/read-document';
import { ReaderFailure } from '../documents/reader-failure';
import type { CreateKnowledgeBaseDto } from './knowledge-base.dto';
import { linkUnavailable, readerFailed, unreadableFile } from './knowledge-base.errors';
import type { KnowledgeBaseSource } from './knowledge-base-source.entity';
import { UnreadableDocumentError } from '../documents/unreadable-document.error';

export type NewSource = Pick<
  KnowledgeBaseSource,
  'type' | 'name' | 'url' | 'fileName' | 'fileType' | 'text'
> & {
  bytes: number;
};

const ACCEPT = 'text/html, application/pdf, text/plain, text/markdown, text/csv, */*;q=0.5';

/** Gets the text of what a client named: a link, or a file that it sent. */
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
   * The sources that a new knowledge base begins with. The file or the first link has been read; further links follow
   * in the background.
   * @throws 400 or 422 where that can't be read, 500 or 503 where we can't read
   */
  async sourcesOf(
    { file, baseUrl, urls = [] }: CreateKnowledgeBaseDto,
    asker: ReadRequester,
  ): Promise<NewSource[]> {
    if (file) return [await this.fileSource(file, asker)];
    const links = new Set([baseUrl ?? '', ...urls]);
    const [first = '', ...others] = links;
    return [await this.firstLink(first, asker), ...others.map((url) => linkSource(url))];
  }

  /**
   * Fetches it when its turn to be read has come, so that what waits is an address.
   * @throws Unreadable
   * @throws ReaderFailure
   * @throws 503 where a caller has waited too long
   */
  readLink(url: string, asker: ReadRequester): Promise<ReadDocument> {
    const open = async () => {
      const {
        bytes,
        contentType,
        url: found,
      } = await this.links.fetch(url, { accept: ACCEPT, signal: asker.gone });
      return {
        bytes,
        contentType,
        name: basename(new URL(found).pathname),
        decidedBy: 'contentType' as const,
      };
    };
    return this.documents.read(open, asker);
  }

  private async firstLink(url: string, asker: ReadRequester): Promise<NewSource> {
    const { mediaType, text } = await this.orRefuse(linkUnavailable, this.readLink(url, asker));
    return { ...linkSource(url), fileType: mediaType, text, bytes: Buffer.byteLength(text) };
  }

  private async fileSource(
    { path, name, contentType, size }: UploadedFile,
    asker: ReadRequester,
  ): Promise<NewSource> {
    const open = async () => ({ bytes: await readFile(path), name, contentType, decidedBy: 'name' as const });
    const { kind, mediaType, text } = await this.orRefuse(unreadableFile, this.documents.read(open, asker));
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
      if (!(error instanceof ReaderFailure)) throw error;
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
