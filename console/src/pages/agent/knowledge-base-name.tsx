import { api } from '../../api/client';
import { texts } from '../../texts';

interface Props {
  id: string;
  name: string | undefined;
  /** Others are being read that may contain its name, or none can be read. */
  isKnown: boolean;
}

/** The name of a knowledge base, which is asked for if it is not among those that were read. */
export function KnowledgeBaseName({ id, name, isKnown }: Props) {
  const own = api.useQuery(
    'get',
    '/api/knowledge-base',
    { params: { query: { kb_id: id } } },
    { enabled: name === undefined && !isKnown },
  );
  if (name !== undefined) return name;
  if (!own.isSuccess) return id;
  return own.data.data[0]?.name ?? texts.agent.knowledge.deleted(id);
}
