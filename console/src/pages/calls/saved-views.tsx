import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { TextField } from '../../components/fields';
import { formValues } from '../../components/form-values';
import { texts } from '../../texts';
import { hasFilters } from './call-filters';
import { deleteView, saveView, savedViews } from './view-storage';
import styles from './calls.module.css';

/** Filters under a name, kept in this browser. */
export function SavedViews({ parameters }: { parameters: URLSearchParams }) {
  const [views, setViews] = useState(savedViews);
  const [isNaming, setNaming] = useState(false);
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name = '' } = formValues(event.currentTarget);
    setViews(saveView(name, parameters));
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
              <Button variant="quiet" onClick={() => setViews(deleteView(name))}>
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
