import { Link } from 'wouter';
import { Page } from './page';
import { texts } from '../texts';

export const NotFound = () => (
  <Page title={texts.common.notFound}>
    <p>
      <Link href="/">{texts.common.backHome}</Link>
    </p>
  </Page>
);
