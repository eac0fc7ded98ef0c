import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { Button } from '../../ui/button';
import { FailureNotice } from '../../ui/failure-notice';
import { TextField } from '../../ui/fields';
import { formValues } from '../../ui/form-values';
import { clearSession, SESSION_KEY, signIn, SIGNS_IN } from '../../session/session';
import { texts } from '../../texts';
import { LinkQuestion } from './link-question';
import styles from './login.module.css';

/** Accepts only a path of the console, because another address could imitate it. */
const readDestination = (search: string) => {
  const to = new URLSearchParams(search).get('to') ?? '/';
  return /^\/(?![/\\])/.test(to) ? to : '/';
};

const tokenInAddress = () => new URLSearchParams(window.location.hash.slice(1)).get('token');

export default function Login() {
  const [, navigate] = useLocation();
  const search = useSearch();
  const queries = useQueryClient();
  const [token, setToken] = useState(tokenInAddress);
  const goOn = () => {
    // The data of all tabs may be of another workspace.
    clearSession(queries);
    queries.removeQueries({ queryKey: SESSION_KEY });
    navigate(readDestination(search), { replace: true });
  };
  const byCredential = useMutation({ mutationFn: signIn, onSuccess: goOn, meta: SIGNS_IN });

  useEffect(() => {
    document.title = `${texts.login.title} · ${texts.product}`;
    // A link that is opened in a tab of the login changes only the hash.
    const take = () => {
      const found = tokenInAddress();
      if (found === null) return;
      setToken(found);
      // The token is removed from the address, so that no history and no screenshot contains it.
      window.history.replaceState(null, '', window.location.pathname + window.location.search);
    };
    take();
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { credential = '' } = formValues(event.currentTarget);
    byCredential.mutate(credential.trim());
  };

  const form = (
    <>
      <h1>{texts.login.title}</h1>
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
        {byCredential.isError && (
          <FailureNotice error={byCredential.error} silentAdvice={texts.login.notSignedIn} />
        )}
        <Button type="submit" variant="primary" act={byCredential}>
          {texts.login.submit}
        </Button>
      </form>
      <p className={styles.hint}>
        {texts.login.link}
        <code>npm run operator -- console link --workspace ID --name &quot;YOUR NAME&quot;</code>
      </p>
    </>
  );

  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <img src="/icon.svg" alt="" width="40" height="40" />
        {token === null ? (
          form
        ) : (
          <LinkQuestion
            key={token}
            token={token}
            onSignedIn={goOn}
            onRefused={(hasSession) => (hasSession ? navigate('/', { replace: true }) : setToken(null))}
          >
            {form}
          </LinkQuestion>
        )}
      </div>
    </main>
  );
}
