import { client } from '../api/client';
import { texts } from '../texts';
import { ConfirmDialog } from '../ui/confirm-dialog';

const labels = texts.erasures;

interface Props {
  number: string;
  /** Called with the id of the erasure. */
  onDone: (erasure_id: string) => void;
  onClose: () => void;
}

/** Erases the person with a number, after a question. */
export const EraseDialog = ({ number, onDone, onClose }: Props) => (
  <ConfirmDialog
    title={labels.confirmTitle(number)}
    text={labels.confirm}
    action={labels.erase}
    run={async () => {
      const { data } = await client.POST('/api/erasures', { body: { phone_number: number } });
      if (data) onDone(data.data.erasure_id);
    }}
    onClose={onClose}
  />
);
