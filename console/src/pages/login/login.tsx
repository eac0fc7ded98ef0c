import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import { Button } from '../../components/button';
import { FailureNotice } from '../../components/failure-notice';
import { TextField } from '../../components/fields';
import { formValues } from '../../components/form-values';
import { SESSION_KEY, signIn, signInByLink } from '../../session/session';
import { texts } from '../../texts';
import styles from './login.module.css';

/** Only a path of this page: another address could imitate it. */
const destinationOf = (search: string) => {
  const to = new URLSearchParams(search).get('to') ?? '/';
  return /^\/(?![/\\])/.test(to) ? to : '/';
};

/** Takes the one-time token out of the address, so that it is in no history and no screenshot. */
function takeToken(): string | null {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token');
  if (token) window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return token;
}

export default function Login() {
  const [, navigate] = useLocation();
  const search = useSearch();
  const queries = useQueryClient();
  const goOn = () => {
    // What is known is that nobody is signed in, which would lead back here.
    queries.removeQueries({ queryKey: SESSION_KEY });
    navigate(destinationOf(search), { replace: true });
  };
  const byLink = useMutation({ mutationFn: signInByLink, onSuccess: goOn });
  const byCredential = useMutation({ mutationFn: signIn, onSuccess: goOn });
  const isFirst = useRef(true);

  useEffect(() => {
    document.title = `${texts.login.title} · ${texts.product}`;
    const token = isFirst.current && takeToken();
    isFirst.current = false;
    if (token) byLink.mutate(token);
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { credential = '' } = formValues(event.currentTarget);
    byCredential.mutate(credential.trim());
  };

  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <img src="/icon.svg" alt="" width="40" height="40" />
        <h1>{byLink.isPending ? texts.login.exchanging : texts.login.title}</h1>
        {byLink.isError && (
          <p role="alert" className={styles.problem}>
            {texts.login.linkFailed}
          </p>
        )}
        {search.includes('to=') && <p>{texts.login.ended}</p>}
        <p className={styles.intro}>{texts.login.intro}</p>
        <form onSubmit={submit} className={styles.form}>
          <TextField
            label={texts.login.credential}
            name="credential"
            type="password"
            autoComplete="off"
            required
            autoFocus
          />
          {byCredential.isError && <FailureNotice error={byCredential.error} />}
          <Button type="submit" variant="primary" isBusy={byCredential.isPending}>
            {texts.login.submit}
          </Button>
        </form>
        <p className={styles.hint}>
          {texts.login.link}
          <code>npm run operator -- console link --workspace ID</code>
        </p>
      </div>
    </main>
  );
}
