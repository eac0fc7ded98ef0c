import { findHighlights } from '../../platform/documents/highlights';
import type { KnowledgeBaseDto, SourceContentDto, SourceDto } from './knowledge-base.dto';
import type { FoundPassageDto } from './knowledge-base-search.dto';
import type { KnowledgeBase } from './knowledge-base.entity';
import type { KnowledgeBaseSource } from './knowledge-base-source.entity';
import type { FoundPassage } from './passages.repository';

/**
 * The words of a query that the passage has, and the words that it does not have, as they are written in the
 * query.
 */
function toQueriedWords({ asked, matches }: FoundPassage, query: string) {
  const matched = new Set(matches.map((match) => match.asked));
  const written = (words: string[]) => [
    ...new Set(findHighlights(query, words).map(({ start, end }) => query.slice(start, end))),
  ];
  return {
    matched_words: written(asked.filter((word) => matched.has(word))),
    missing_words: written(asked.filter((word) => !matched.has(word))),
  };
}

/** The address that shows a knowledge base with its sources. */
export const listLocation = (knowledgeBaseId: string) => `/api/knowledge-base?kb_id=${knowledgeBaseId}`;

const presentContent = (source: KnowledgeBaseSource): SourceContentDto => ({
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

export const presentSource = (source: KnowledgeBaseSource, replacement?: KnowledgeBaseSource): SourceDto => ({
  _id: source.publicId,
  ...presentContent(source),
  ...(replacement && { replacement: presentContent(replacement) }),
});

const presentSources = (sources: KnowledgeBaseSource[]): SourceDto[] => {
  const replacements = new Map(
    sources.filter(({ isReplacement }) => isReplacement).map((source) => [source.publicId, source]),
  );
  return sources
    .filter(({ isReplacement }) => !isReplacement)
    .map((source) => presentSource(source, replacements.get(source.publicId)));
};

export const presentKnowledgeBase = (
  knowledgeBase: KnowledgeBase,
  /** The sources with their replacements. */
  sources: KnowledgeBaseSource[],
): KnowledgeBaseDto => ({
  _id: knowledgeBase.id,
  workspaceId: knowledgeBase.workspaceId,
  name: knowledgeBase.name,
  description: knowledgeBase.description,
  type: knowledgeBase.type,
  sources: presentSources(sources),
  status: knowledgeBase.status,
  createdAt: knowledgeBase.createdAt,
  updatedAt: knowledgeBase.updatedAt,
});

export const presentPassage = (passage: FoundPassage, query: string): FoundPassageDto => ({
  text: passage.text,
  highlights: findHighlights(
    passage.text,
    passage.matches.map(({ word }) => word),
  ),
  ...toQueriedWords(passage, query),
  score: passage.score,
  source_id: passage.sourceId,
  source_name: passage.sourceName,
  source_url: passage.sourceUrl,
  page: passage.page,
  position: passage.position,
});
