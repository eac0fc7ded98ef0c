import type { KnowledgeBase } from './knowledge-base.entity';
import type { KnowledgeBaseDto, SourceDto } from './knowledge-base.dto';
import type { KnowledgeBaseSource } from './knowledge-base-source.entity';

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
