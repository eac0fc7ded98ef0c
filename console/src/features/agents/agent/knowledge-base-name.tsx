import { api } from '../../../api/client';
import { texts } from '../../../texts';

interface Props {
  id: string;
  name: string | undefined;
  /** Whether the name may be requested. It is not while the list that may contain it is being read. */
  mayRequest: boolean;
}

/** The name of a knowledge base, which is requested if the page has not read it. */
export function KnowledgeBaseName({ id, name, mayRequest }: Props) {
  const own = api.useQuery(
    'get',
    '/api/knowledge-base',
    { params: { query: { kb_id: id } } },
    { enabled: name === undefined && mayRequest },
  );
  if (name !== undefined) return name;
  if (!own.isSuccess) return id;
  return own.data.data[0]?.name ?? texts.agent.knowledge.deleted(id);
}
