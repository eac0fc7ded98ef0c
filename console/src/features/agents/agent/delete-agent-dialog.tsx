import { client } from '../../../api/client';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { texts } from '../../../texts';

interface Props {
  agent: { id: string; name: string; phoneNumber: string };
  onClose: () => void;
  onDeleted: () => unknown;
}

/** Names what is deleted with an agent, and deletes it. */
export const DeleteAgentDialog = ({ agent: { id, name, phoneNumber }, onClose, onDeleted }: Props) => (
  <ConfirmDialog
    title={texts.agents.deleteTitle(name)}
    text={texts.agents.deleteText(name, phoneNumber)}
    action={texts.agents.delete}
    run={async () => {
      await client.DELETE('/api/agents/{agent_id}', { params: { path: { agent_id: id } } });
      await onDeleted();
    }}
    onClose={onClose}
  />
);
