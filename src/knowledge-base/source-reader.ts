import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { addressRuleOf } from '../common/public-address';
import type { UploadedFile } from '../common/uploaded-file';
import { CONFIG, type Config } from '../config';
import { DocumentReader } from './documents/document-reader';
import { MEDIA_TYPES } from './documents/document-kind';
import type { ReadDocument } from './documents/read-document';
import type { CreateKnowledgeBaseDto } from './knowledge-base.dto';
import { linkUnavailable, unreadableFile } from './knowledge-base.errors';
import type { KnowledgeBaseSource } from './knowledge-base-source.entity';
import { LinkFetcher } from './link-fetcher';
import { Unreadable } from './unreadable';

export type NewSource = Pick<KnowledgeBaseSource, 'type' | 'name' | 'url' | 'fileName' | 'fileType' | 'text'>;

/** Gets the text of what a client named: a link, or a file that it sent. */
@Injectable()
export class SourceReader implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(SourceReader.name);
  private readonly links: LinkFetcher;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly documents: DocumentReader,
  ) {
    this.links = new LinkFetcher(addressRuleOf(config));
  }

  onModuleInit(): void {
    if (!this.config.ALLOW_PRIVATE_ADDRESSES) return;
    this.logger.warn(
      'ALLOW_PRIVATE_ADDRESSES is true: links may lead to private addresses. Not for production.',
    );
  }

  onApplicationShutdown(): Promise<void> {
    return this.links.close();
  }

  /**
   * The sources that a new knowledge base begins with. The file or the first link has been read; further links follow
   * in the background.
   * @throws 400 or 422 where that can't be read
   */
  async sourcesOf({ file, baseUrl, urls = [] }: CreateKnowledgeBaseDto): Promise<NewSource[]> {
    if (file) return [await this.fileSource(file)];
    const links = new Set([baseUrl ?? '', ...urls]);
    const [first = '', ...others] = links;
    return [await this.firstLink(first), ...others.map((url) => linkSource(url))];
  }

  /** @throws Unreadable */
  async readLink(url: string): Promise<ReadDocument> {
    const fetched = await this.links.fetch(url);
    const { pathname } = new URL(fetched.url);
    return this.documents.read({ ...fetched, name: basename(pathname) });
  }

  private async firstLink(url: string): Promise<NewSource> {
    try {
      const { kind, text } = await this.readLink(url);
      return { ...linkSource(url), fileType: MEDIA_TYPES[kind], text };
    } catch (error) {
      throw error instanceof Unreadable ? linkUnavailable(error.message) : error;
    }
  }

  private async fileSource({ path, name, contentType }: UploadedFile): Promise<NewSource> {
    try {
      const { kind, text } = await this.documents.read({ bytes: await readFile(path), name, contentType });
      return { type: kind, name, url: '', fileName: name, fileType: MEDIA_TYPES[kind], text };
    } catch (error) {
      throw error instanceof Unreadable ? unreadableFile(error.message) : error;
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
});
