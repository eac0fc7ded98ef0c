import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, client, type Schemas } from '../api/client';
import { texts } from '../texts';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { TextField } from '../ui/fields';
import type { PeriodParameters } from '../ui/filters/periods';
import { FormDialog } from '../ui/form-dialog';
import { formValues } from '../ui/form-values';
import { Loaded } from '../ui/loaded';
import { Menu } from '../ui/menu';
import { useMay } from '../ui/rights';
import { useMinute } from '../ui/use-minute';
import styles from './saved-views.module.css';
import { PERSONAL, toView, toViewQuery } from './view-query';

type View = Schemas['SavedViewDto'];

interface Props {
  page: View['page'];
  /** The query of the page's address. */
  parameters: URLSearchParams;
  times: PeriodParameters;
}

/** Named choices of a page, which the people of the workspace share. A credential with scopes may not read them. */
export function SavedViews({ page, parameters, times }: Props) {
  const view = toView(parameters, times);
  const canSave = view.query !== '';
  const [leaving, setLeaving] = useState<View>();
  const [isNaming, setNaming] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const views = api.useQuery(
    'get',
    '/api/saved-views',
    { params: { query: { page } } },
    { enabled: isOpen, staleTime: 0 },
  );
  const save = useMutation({
    mutationFn: async (name: string) => {
      await client.PUT('/api/saved-views', { body: { page, name, ...view } });
    },
    onSuccess: () => setNaming(false),
  });
  const remove = async ({ view_id }: View) => {
    await client.DELETE('/api/saved-views/{view_id}', { params: { path: { view_id } } });
    await views.refetch();
  };
  return (
    <>
      <Menu name={texts.views.title} button={texts.views.menu} onToggle={setOpen}>
        {(close) => (
          <div className={styles.views}>
            <Loaded query={views}>
              {({ data }) => (
                <ViewList {...{ page, times, close, onDelete: setLeaving }} views={data} canSave={canSave} />
              )}
            </Loaded>
            {canSave && (
              <Button
                needs="operate"
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
          title={texts.views.deleteTitle(leaving.name)}
          text={texts.views.deleteText}
          action={texts.common.delete}
          run={() => remove(leaving)}
          onClose={() => setLeaving(undefined)}
        />
      )}
      {isNaming && (
        <FormDialog
          title={texts.views.save}
          action={texts.common.save}
          change={save}
          onSubmit={(form) => save.mutate(formValues(form).name ?? '')}
          onClose={() => setNaming(false)}
        >
          <TextField
            label={texts.views.name}
            help={PERSONAL.some((name) => parameters.has(name)) ? texts.views.personal : texts.views.shared}
            name="name"
            required
            maxLength={80}
            autoFocus
          />
        </FormDialog>
      )}
    </>
  );
}

interface ListProps extends Pick<Props, 'page' | 'times'> {
  views: View[];
  canSave: boolean;
  close: () => void;
  onDelete: (view: View) => void;
}

function ViewList({ page, times, views, canSave, close, onDelete }: ListProps) {
  const now = useMinute();
  const maySave = useMay('operate');
  if (views.length === 0)
    return maySave && canSave ? null : <p>{maySave ? texts.views.none : texts.views.noneYet}</p>;
  return (
    <ul aria-label={texts.views.title}>
      {views.map((view) => (
        <li key={view.view_id}>
          <Link href={`/${page}?${toViewQuery(view, times, now)}`} onClick={close}>
            {view.name}
          </Link>
          <Button
            needs="operate"
            variant="quiet"
            onClick={() => {
              close();
              onDelete(view);
            }}
          >
            <span aria-hidden="true">✕</span>
            <span className="visually-hidden">{`${texts.views.delete}: ${view.name}`}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
