import { statement } from '../../platform/database/statement';

/** The knowledge bases that have these names, without regard to case. */
export const FIND_BY_NAMES = statement<
  { workspaceId: string; names: string[] },
  { given: string; id: string; name: string }
>(
  'find-knowledge-bases-by-names',
  `SELECT given, id, name FROM unnest($names::text[]) AS wanted (given)
   JOIN knowledge_bases ON workspace_id = $workspaceId AND lower(name) = lower(given)`,
);
