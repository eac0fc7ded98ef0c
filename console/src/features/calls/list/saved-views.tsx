import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../ui/button';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { Dialog } from '../../../ui/dialog';
import { TextField } from '../../../ui/fields';
import { formValues } from '../../../ui/form-values';
import { useSession } from '../../../session/session';
import { texts } from '../../../texts';
import { hasFilters } from './call-filters';
import { deleteView, saveView, savedViews } from './view-storage';
import styles from './calls.module.css';

/** Named filters, which this browser stores for the workspace. */
export function SavedViews({ parameters }: { parameters: URLSearchParams }) {
  const workspaceId = useSession().data?.workspace.id ?? '';
  const [views, setViews] = useState(() => savedViews(workspaceId));
  const [leaving, setLeaving] = useState<string>();
  const [isNaming, setNaming] = useState(false);
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name = '' } = formValues(event.currentTarget);
    setViews(saveView(workspaceId, name, parameters));
    setNaming(false);
  };
  if (views.length === 0 && !hasFilters(parameters)) return null;
  return (
    <div className={styles.views}>
      {views.length > 0 && (
        <ul aria-label={texts.calls.views}>
          {views.map(({ name, query }) => (
            <li key={name}>
              <Link href={`/calls?${query}`}>{name}</Link>
              <Button variant="quiet" onClick={() => setLeaving(name)}>
                <span aria-hidden="true">✕</span>
                <span className="visually-hidden">{`${texts.calls.deleteView}: ${name}`}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {hasFilters(parameters) && (
        <Button variant="quiet" onClick={() => setNaming(true)}>
          {texts.calls.saveView}
        </Button>
      )}
      {leaving !== undefined && (
        <ConfirmDialog
          title={texts.calls.deleteViewTitle(leaving)}
          text={texts.calls.deleteViewText}
          action={texts.common.delete}
          run={() => Promise.resolve(setViews(deleteView(workspaceId, leaving)))}
          onClose={() => setLeaving(undefined)}
        />
      )}
      {isNaming && (
        <Dialog
          title={texts.calls.saveView}
          onClose={() => setNaming(false)}
          actions={
            <Button variant="primary" type="submit" form="view">
              {texts.common.save}
            </Button>
          }
        >
          <form id="view" onSubmit={save}>
            <TextField label={texts.calls.viewName} name="name" required maxLength={80} autoFocus />
          </form>
        </Dialog>
      )}
    </div>
  );
}
