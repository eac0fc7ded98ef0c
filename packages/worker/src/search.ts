import { createAccess, type ApiOptions, readData } from './api-access';
import type { ApiOfCall, CallStart } from './messages';

const TIMEOUT_MS = 10_000;
const DEFAULT_LIMIT = 5;

/** A passage of a knowledge base, as the REST API gives it. */
export interface Passage {
  text: string;
  /** The score; a larger one is better. */
  score: number;
  source_id: string;
  source_name: string;
  source_url: string | null;
  position: number;
}

export interface SearchOptions {
  /** The knowledge base. Default: all of the call. */
  knowledgeBaseId?: string;
  /** The number of passages. Default: 5. */
  limit?: number;
}

/** Searches knowledge bases over the server's REST API. */
export class KnowledgeSearch {
  constructor(private readonly api: ApiOptions) {}

  async search(
    { start: { knowledge_bases }, api }: { start: CallStart; api: ApiOfCall | undefined },
    query: string,
    { knowledgeBaseId, limit = DEFAULT_LIMIT }: SearchOptions,
    signal: AbortSignal,
  ): Promise<Passage[]> {
    const searched = knowledge_bases.filter(({ kb_id }) => (knowledgeBaseId ?? kb_id) === kb_id);
    if (searched.length === 0 && knowledgeBaseId !== undefined) {
      throw new Error(`The call has no knowledge base ${knowledgeBaseId}.`);
    }
    const found = await Promise.all(
      searched.map(({ search }) => this.read(api, search, { query, limit }, signal)),
    );
    return found
      .flat()
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  private async read(
    api: ApiOfCall | undefined,
    path: string,
    { query, limit }: { query: string; limit: number },
    signal: AbortSignal,
  ): Promise<Passage[]> {
    const { url, headers } = createAccess(this.api, api, 'call.search');
    const parameters = new URLSearchParams({ query, limit: `${limit}` });
    const response = await fetch(`${url}${path}?${parameters.toString()}`, {
      headers,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    return readData(response, 'The search failed');
  }
}
