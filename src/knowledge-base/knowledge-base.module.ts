import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { join } from 'node:path';
import { CONFIG, type Config } from '../config';
import { scopedRepository } from '../database/workspace-scoped.repository';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { DocumentReader } from '../documents/document-reader';
import { FileCleaner } from './file-cleaner';
import { FileRemover } from './file-remover';
import { FileStorage } from './file-storage';
import { StoredFiles } from './stored-files';
import { KnowledgeBaseFile } from './knowledge-base-file.entity';
import { KnowledgeBasePassage } from './knowledge-base-passage.entity';
import { KnowledgeBaseSearch } from './knowledge-base-search';
import { KnowledgeBaseSource } from './knowledge-base-source.entity';
import { KnowledgeBaseWord } from './knowledge-base-word.entity';
import { KnowledgeBaseController } from './knowledge-base.controller';
import { KnowledgeBase } from './knowledge-base.entity';
import { KnowledgeBaseService } from './knowledge-base.service';
import { LocalFileStorage } from './local-file-storage';
import { SourceIndexer } from './source-indexer';
import { SourceReader } from './source-reader';

const knowledgeBases = scopedRepository(KnowledgeBase);

@Module({
  imports: [
    ...knowledgeBases.imports,
    WorkspacesModule,
    TypeOrmModule.forFeature([
      KnowledgeBaseFile,
      KnowledgeBaseSource,
      KnowledgeBasePassage,
      KnowledgeBaseWord,
    ]),
  ],
  controllers: [KnowledgeBaseController],
  providers: [
    ...knowledgeBases.providers,
    {
      provide: FileStorage,
      inject: [CONFIG],
      useFactory: ({ PARLEY_DATA }: Config) => new LocalFileStorage(join(PARLEY_DATA, 'files')),
    },
    {
      provide: DocumentReader,
      inject: [CONFIG],
      useFactory: ({ DOCUMENT_WAIT_MS }: Config) => new DocumentReader({ waitMs: DOCUMENT_WAIT_MS }),
    },
    FileCleaner,
    FileRemover,
    StoredFiles,
    KnowledgeBaseSearch,
    KnowledgeBaseService,
    SourceIndexer,
    SourceReader,
  ],
  exports: [KnowledgeBaseService],
})
export class KnowledgeBaseModule {}
