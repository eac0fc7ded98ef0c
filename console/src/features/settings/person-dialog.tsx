import { useMutation } from '@tanstack/react-query';
import { client, type Schemas } from '../../api/client';
import { allValues } from '../../api/all-values';
import { ApiFailure, fieldError } from '../../api/failure';
import { FormDialog } from '../../ui/form-dialog';
import { TextField } from '../../ui/fields';
import { formValues } from '../../ui/form-values';
import { texts } from '../../texts';
import styles from './settings.module.css';

type Person = Schemas['PersonDto'];
type Role = Person['role'];

const labels = texts.settings.people;

interface Props {
  /** The person to change. Left out: a new one is invited. */
  person?: Person;
  onInvited?: (link: Schemas['PersonLinkDto'], name: string) => void;
  onChanged?: (name: string) => void;
  onClose: () => void;
}

interface Fields {
  name: string;
  role: Role;
  email: string | null;
}

/** Invites a person, or changes the name, the role or the e-mail address of one. */
export function PersonDialog({ person, onInvited, onChanged, onClose }: Props) {
  const roles = allValues<Role>({ viewer: true, operator: true, admin: true });
  const save = useMutation({
    mutationFn: async (fields: Fields) => {
      if (person) {
        const params = { path: { person_id: person.id } };
        await client.PATCH('/api/people/{person_id}', { params, body: fields });
        onChanged?.(fields.name);
      } else {
        const { data } = await client.POST('/api/people', { body: fields });
        if (data) onInvited?.(data.data, fields.name);
      }
    },
    onSuccess: onClose,
  });
  const submit = (form: HTMLFormElement) => {
    const { name = '', role, email } = formValues(form);
    save.mutate({ name, role: role as Role, email: email || null });
  };
  const failure = save.error instanceof ApiFailure ? save.error : undefined;
  return (
    <FormDialog
      title={person ? labels.changeTitle(person.name) : labels.inviteTitle}
      action={person ? labels.change : labels.invite}
      change={save}
      onSubmit={submit}
      onClose={onClose}
    >
      {person && <p>{labels.changeText}</p>}
      <TextField
        name="name"
        label={labels.name}
        help={labels.nameHelp}
        problem={fieldError(failure, 'name')}
        defaultValue={person?.name}
        autoComplete="off"
        required
        maxLength={100}
        autoFocus
      />
      <fieldset className={styles.scope}>
        <legend>{labels.role}</legend>
        {roles.map((role) => (
          <label key={role}>
            <input
              type="radio"
              name="role"
              value={role}
              defaultChecked={role === (person?.role ?? 'operator')}
            />
            <span>
              {labels.roles[role]} <span className={styles.muted}>{labels.roleHelp[role]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <TextField
        name="email"
        type="email"
        label={labels.email}
        help={labels.emailHelp}
        problem={fieldError(failure, 'email')}
        defaultValue={person?.email ?? undefined}
        autoComplete="off"
        maxLength={254}
      />
    </FormDialog>
  );
}
