import type { KnowledgeBaseDto, SourceDto } from './knowledge-base.dto';
import type { FoundPassageDto } from './knowledge-base-search.dto';
import type { KnowledgeBase } from './knowledge-base.entity';
import type { KnowledgeBaseSource } from './knowledge-base-source.entity';
import type { FoundPassage } from './passages.repository';

const presentSource = (source: KnowledgeBaseSource): SourceDto => ({
  _id: source.id,
  type: source.type,
  name: source.name,
  url: source.url,
  status: source.status,
  metadata: {
    fileName: source.fileName,
    fileType: source.fileType,
    fileKey: source.fileKey ?? '',
    passages: source.passages,
    ...(source.reason !== null && { reason: source.reason }),
  },
});

export const presentKnowledgeBase = (
  knowledgeBase: KnowledgeBase,
  sources: KnowledgeBaseSource[],
): KnowledgeBaseDto => ({
  _id: knowledgeBase.id,
  workspaceId: knowledgeBase.workspaceId,
  name: knowledgeBase.name,
  description: knowledgeBase.description,
  type: knowledgeBase.type,
  sources: sources.map(presentSource),
  status: knowledgeBase.status,
  createdAt: knowledgeBase.createdAt,
  updatedAt: knowledgeBase.updatedAt,
});

export const presentPassage = (passage: FoundPassage): FoundPassageDto => ({
  text: passage.text,
  score: passage.score,
  source_id: passage.sourceId,
  source_name: passage.sourceName,
  source_url: passage.sourceUrl,
  position: passage.position,
});
