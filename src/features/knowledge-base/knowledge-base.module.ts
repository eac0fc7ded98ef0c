import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../config';
import { FilesModule } from '../../platform/files/files.module';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { DocumentReader } from '../../platform/documents/document-reader';
import { FileCleaner } from './file-cleaner';
import { FileRemover } from './file-remover';
import { StoredFiles } from './stored-files';
import { StoredFilesRepository } from './stored-files.repository';
import { IndexingJobs } from './indexing-jobs';
import { KnowledgeBaseSearch } from './knowledge-base-search';
import { KnowledgeBaseController } from './knowledge-base.controller';
import { readersBusy } from './knowledge-base.errors';
import { KnowledgeBaseRepository } from './knowledge-base.repository';
import { KnowledgeBaseService } from './knowledge-base.service';
import { PassagesRepository } from './passages.repository';
import { SourceIndexer } from './source-indexer';
import { SourceReader } from './source-reader';
import { SourcesController } from './sources.controller';
import { SourcesRepository } from './sources.repository';
import { SourcesService } from './sources.service';

@Module({
  imports: [FilesModule, WorkspacesModule],
  controllers: [KnowledgeBaseController, SourcesController],
  providers: [
    {
      provide: DocumentReader,
      inject: [CONFIG],
      useFactory: ({ DOCUMENT_WAIT_MS }: Config) =>
        new DocumentReader({ waitMs: DOCUMENT_WAIT_MS, busy: readersBusy }),
    },
    FileCleaner,
    FileRemover,
    IndexingJobs,
    KnowledgeBaseRepository,
    KnowledgeBaseSearch,
    KnowledgeBaseService,
    PassagesRepository,
    SourceIndexer,
    SourceReader,
    SourcesRepository,
    SourcesService,
    StoredFiles,
    StoredFilesRepository,
  ],
  exports: [KnowledgeBaseSearch, KnowledgeBaseService],
})
export class KnowledgeBaseModule {}
