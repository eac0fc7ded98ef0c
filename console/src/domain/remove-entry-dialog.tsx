import { client } from '../api/client';
import { texts } from '../texts';
import { ConfirmDialog } from '../ui/confirm-dialog';

const labels = texts.doNotCall;

interface Props {
  number: string;
  onDone: (text: string) => Promise<void>;
  onClose: () => void;
}

/** Takes a number off the do-not-call list. */
export const RemoveEntryDialog = ({ number, onDone, onClose }: Props) => (
  <ConfirmDialog
    title={labels.removeTitle(number)}
    text={labels.removeText(number)}
    action={labels.remove}
    run={async () => {
      const params = { path: { phone_number: number } };
      await client.DELETE('/api/do-not-call/{phone_number}', { params });
      await onDone(labels.removed(number));
    }}
    onClose={onClose}
  />
);
