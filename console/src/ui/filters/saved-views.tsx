import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { texts } from '../../texts';
import { Button } from '../button';
import { ConfirmDialog } from '../confirm-dialog';
import { Dialog } from '../dialog';
import { TextField } from '../fields';
import { formValues } from '../form-values';
import { Menu } from '../menu';
import { useMinute } from '../use-minute';
import type { PeriodParameters } from './periods';
import styles from './saved-views.module.css';
import { deleteView, readViews, saveView, toView, toViewQuery, type ViewList } from './view-storage';

interface Props extends ViewList {
  /** The query of the page's address. */
  parameters: URLSearchParams;
  /** Whether the address has choices that can be saved. */
  canSave: boolean;
  times: PeriodParameters;
}

/** Named choices of a page, which this browser stores for the workspace. */
export function SavedViews({ page, workspaceId, parameters, canSave, times }: Props) {
  const list = { page, workspaceId };
  const [views, setViews] = useState(() => readViews(list));
  const [leaving, setLeaving] = useState<string>();
  const [isNaming, setNaming] = useState(false);
  const now = useMinute();
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name = '' } = formValues(event.currentTarget);
    setViews(saveView(list, toView(name, parameters, times)));
    setNaming(false);
  };
  return (
    <>
      <Menu name={texts.views.title} button={texts.views.menu}>
        {(close) => (
          <div className={styles.views}>
            {views.length > 0 && (
              <ul aria-label={texts.views.title}>
                {views.map((view) => (
                  <li key={view.name}>
                    <Link href={`/${page}?${toViewQuery(view, times, now)}`} onClick={close}>
                      {view.name}
                    </Link>
                    <Button
                      variant="quiet"
                      onClick={() => {
                        close();
                        setLeaving(view.name);
                      }}
                    >
                      <span aria-hidden="true">✕</span>
                      <span className="visually-hidden">{`${texts.views.delete}: ${view.name}`}</span>
                    </Button>
                  </li>
                ))}
              </ul>
            )}
            {!canSave && views.length === 0 && <p>{texts.views.none}</p>}
            {canSave && (
              <Button
                variant="quiet"
                onClick={() => {
                  close();
                  setNaming(true);
                }}
              >
                {texts.views.save}
              </Button>
            )}
          </div>
        )}
      </Menu>
      {leaving !== undefined && (
        <ConfirmDialog
          title={texts.views.deleteTitle(leaving)}
          text={texts.views.deleteText}
          action={texts.common.delete}
          run={() => Promise.resolve(setViews(deleteView(list, leaving)))}
          onClose={() => setLeaving(undefined)}
        />
      )}
      {isNaming && (
        <Dialog
          title={texts.views.save}
          onClose={() => setNaming(false)}
          actions={
            <Button variant="primary" type="submit" form="view">
              {texts.common.save}
            </Button>
          }
        >
          <form id="view" onSubmit={save}>
            <TextField label={texts.views.name} name="name" required maxLength={80} autoFocus />
          </form>
        </Dialog>
      )}
    </>
  );
}
